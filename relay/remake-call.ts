import type { ClientProtocol, RequestAddress } from "@tollgate/contract/relay/protocol";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import type { NamedEffort } from "./admission/resolve-model";
import { KeptResponse } from "./kept-response";
import type { Pricing } from "./ports/charges";
import type { Describe } from "./ports/client";
import type { UpstreamTarget } from "./ports/directory";
import type { RelayPorts } from "./ports/relay-ports";
import type { Transport, UpstreamRequest } from "./ports/transport";
import { createRelay } from "./relay";
import { FREE_MEMORY, freePricing, separatePayer, separatePorts } from "./separate-engine";

/** What remaking a call needs of the engine's surroundings. */
export type RemakePorts = Pick<RelayPorts, "now" | "random" | "tokenCounter" | "unsupportedFields"> & {
  find: Pricing["find"];
};

/** A chat as its client sent it. */
export interface SentChat {
  client: ClientProtocol;
  address: RequestAddress | undefined;
  rawBody: Uint8Array;
  body: Record<string, unknown>;
  /** The model that was asked, whatever name the client sent. */
  model: string;
  effort: NamedEffort | undefined;
}

/** Stands for media that the gateway would fetch: nothing is fetched to look at a request. */
const NOT_FETCHED = { data: "", mediaType: "application/octet-stream" };

/** A channel without its credentials: a remade call is never sent, so nothing is signed, and no token is fetched. */
const withoutSecrets = (entry: UpstreamTarget): UpstreamTarget => ({
  ...entry,
  headers: {},
  authorizer: undefined,
  limited: undefined,
  ...(entry.byModel
    ? { byModel: entry.byModel.map((each) => ({ ...each, entry: withoutSecrets(each.entry) })) }
    : {}),
});

/** Keeps the first request, and sends none. */
const keepingTransport = (keep: (request: UpstreamRequest) => void): Transport => ({
  send(request, receiver) {
    keep(request);
    receiver.onFailure({ kind: "connect", detail: "" });
  },
  close: async () => {},
});

const textOf = ({ body }: UpstreamRequest): string => {
  if (typeof body === "string") return body;
  return Buffer.concat(body instanceof Uint8Array ? [body] : body).toString("utf8");
};

/**
 * Makes the call to a channel once more from a client's request, by the engine that customers' requests take, with
 * today's settings. Nothing is sent, fetched, signed or charged.
 * @returns the body for the upstream; undefined when the request would be refused before it.
 */
export const remakeCall = (
  { find, ...tools }: RemakePorts,
  target: UpstreamTarget,
  { client, address, rawBody, body, model, effort }: SentChat,
): Promise<string | undefined> => {
  const entry = withoutSecrets(target);
  let made: string | undefined;
  const describe: Describe = ({ code }) => ({ status: 400, code, message: "" });
  const relay = createRelay({
    ...separatePorts(tools, entry),
    pricing: freePricing(find),
    charges: { noteRefused() {}, noteFailure() {}, commit: (_, done) => done(undefined) },
    transport: keepingTransport((request) => {
      made ??= textOf(request);
    }),
    fetchMedia: async () => NOT_FETCHED,
    reportFailure() {},
  });
  const response = new KeptResponse();
  return new Promise((resolve, reject) => {
    response.on("close", () => resolve(made));
    try {
      const summary = { ...client.summarizeRequest(body, address), model };
      relay.run({
        ...{ client, rawBody, body, summary, effort, response, describe },
        ...{ key: separatePayer(MAX_QUOTA), pinned: [entry], requestId: "", clientHeaders: {}, headers: {} },
        memory: FREE_MEMORY,
      });
    } catch (error) {
      if (error instanceof RequestInvalid) resolve(undefined);
      else reject(error);
    }
  });
};
