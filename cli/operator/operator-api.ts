import { request } from "node:http";
import { envelopeSchema } from "@tollgate/contract/management/envelope";
import {
  type CallOf,
  type DataOf,
  type Endpoint,
  type EndpointRequest,
  type Method,
  requestOf,
} from "@tollgate/contract/resource/endpoint";
import { tryParseJson } from "@tollgate/contract/values/parse-json";
import { ACTS_FOR_HEADER } from "@tollgate/server/operator/operator-socket";

export interface OperatorCall extends Omit<EndpointRequest, "method"> {
  method?: Method;
  /** The user that it is made for; root without it. */
  userId?: number;
}

/** An answer of /api that says that it was not done; its message says why. */
export class OperatorRefused extends Error {}

/** Calls of /api, made as the local operator. */
export interface OperatorApi {
  /** @returns the whole envelope. @throws OperatorRefused where it says that the call failed. */
  call(call: OperatorCall): Promise<{ data?: unknown; [extra: string]: unknown }>;
}

const send = (
  socketPath: string,
  { method = "GET", path, query = {}, body, userId }: OperatorCall,
): Promise<{ status: number; text: string }> =>
  new Promise((done, refuse) => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) parameters.set(name, String(value));
    const sent = request(
      {
        socketPath,
        method,
        path: parameters.size > 0 ? `${path}?${parameters}` : path,
        headers: {
          host: "localhost",
          "accept-language": "en",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(userId === undefined ? {} : { [ACTS_FOR_HEADER]: String(userId) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", refuse);
        response.on("end", () =>
          done({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
        );
      },
    );
    sent.on("error", refuse);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });

/** @param socketPath of a gateway's operator socket. */
export const createOperatorApi = (socketPath: string): OperatorApi => ({
  async call(call) {
    const { status, text } = await send(socketPath, call);
    const read = envelopeSchema.safeParse(tryParseJson(text));
    if (!read.success) throw new OperatorRefused(`The gateway answered with status ${status} and no JSON.`);
    if (!read.data.success)
      throw new OperatorRefused(read.data.message || `The gateway answered with status ${status}.`);
    return read.data;
  },
});

/**
 * Calls an endpoint as the local operator, or for a user.
 * @throws OperatorRefused when the call failed, or its answer has other data than the endpoint's
 */
export const callEndpoint = async <E extends Endpoint>(
  api: OperatorApi,
  endpoint: E,
  call: CallOf<E>,
  { userId }: Pick<OperatorCall, "userId"> = {},
): Promise<DataOf<E>> => {
  const envelope = await api.call({
    ...requestOf(endpoint, call),
    ...(userId === undefined ? {} : { userId }),
  });
  const value = endpoint.data?.read(endpoint.isEnvelope ? envelope : envelope.data);
  if (endpoint.data && !endpoint.data.isOptional && value === undefined)
    throw new OperatorRefused(
      "The gateway's answer could not be read: if it runs another version, restart it.",
    );
  return value as DataOf<E>;
};
