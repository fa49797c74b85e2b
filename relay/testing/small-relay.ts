import type { Operation } from "@tollgate/contract/relay/operation";
import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { hold } from "@tollgate/metering/ledger";
import { findPrice, type PriceBook } from "@tollgate/metering/price";
import { UNBOUNDED_MEMORY } from "@tollgate/testkit/unbounded-memory";
import { resolveChat, resolveModel } from "../admission/resolve-model";
import type { ClientHeaders } from "../pipeline/pass-client-headers";
import type { ChargeRecord, RequestRecord } from "../ports/charges";
import type { Refusal } from "../ports/client";
import type { ApiKey, UpstreamTarget } from "../ports/directory";
import type { RelayPorts } from "../ports/relay-ports";
import type { UpstreamReceiver, UpstreamRequest } from "../ports/transport";
import { createRelay } from "../relay";
import { RecordingResponse } from "./recording-response";

/** One request at an upstream. */
export interface Sent {
  request: UpstreamRequest;
  receiver: UpstreamReceiver;
  /** Quota of the user's balance held when it arrived. */
  held: number;
  text(): string;
  body(): Record<string, unknown>;
  json(status: number, value: unknown): void;
}

const textOf = (body: UpstreamRequest["body"]): string =>
  typeof body === "string"
    ? body
    : Array.isArray(body)
      ? Buffer.concat(body as Uint8Array[]).toString("utf8")
      : Buffer.from(body as Uint8Array).toString("utf8");

/** A relay with one user of one key, upstreams that tests answer for, and prices as ratios. */
export const smallRelay = (settings: {
  /** The channels of a model; a list means the same for all models. */
  channels: readonly UpstreamTarget[] | ((model: string) => readonly UpstreamTarget[]);
  prices: Pick<PriceBook, "modelRatios"> & Partial<PriceBook>;
  quota?: number;
  retryTimes?: number;
  key?: Partial<ApiKey>;
  ports?: Partial<RelayPorts>;
  /** Prices of the upstreams. */
  buys?: RelayPorts["pricing"]["buys"];
}) => {
  const user = { id: 1, quota: settings.quota ?? 1_000_000, held: 0, isUnlimited: false };
  const key: ApiKey = {
    id: 2,
    name: "laptop",
    status: 1,
    expiredTime: -1,
    account: { id: 2, quota: settings.quota ?? 1_000_000, held: 0, isUnlimited: false },
    user: { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account: user },
    ...settings.key,
  };
  const charges: ChargeRecord[] = [];
  const failures: RequestRecord[] = [];
  const sent: Sent[] = [];
  const deadKeys: unknown[] = [];
  const channelsOf = (model: string): readonly UpstreamTarget[] =>
    typeof settings.channels === "function" ? settings.channels(model) : settings.channels;
  const prices: PriceBook = {
    completionRatios: new Map(),
    groupRatios: new Map(),
    ...settings.prices,
  };
  let readsEffortNames = false;
  const ports: RelayPorts = {
    directory: {
      findKey: () => key,
      keysOfChannel: () => [],
      candidates: (_group, model) => channelsOf(model),
      isListed: (_group, model) => channelsOf(model).length > 0,
      groupsOf: (key) => key.user.groups,
      readsEffortNames: () => readsEffortNames,
      markKey: () => {},
      reportDeadKey: ({ id }) => deadKeys.push(id),
    },
    holds: { place: hold },
    pricing: {
      find: (model, group, _payer, _requestedModel, effortName = model) =>
        findPrice(prices, prices.modelRatios.has(effortName) ? effortName : model, group, 0),
      defaultHoldTokens: () => 500,
      drainMs: () => 0,
      countsDrainMs: () => 5000,
      retryTimes: () => settings.retryTimes ?? 0,
      ...(settings.buys ? { buys: settings.buys } : {}),
    },
    charges: {
      noteRefused() {},
      noteFailure: (record) => failures.push(record),
      commit(record, done) {
        charges.push(record);
        done(undefined);
      },
    },
    tokenCounter: { count: (_model, text, done) => done(Math.ceil(text.length / 4)) },
    transport: {
      send(request, receiver) {
        const text = (): string => textOf(request.body);
        sent.push({
          request,
          receiver,
          held: user.held,
          text,
          body: () => JSON.parse(text()) as Record<string, unknown>,
          json(status, value) {
            receiver.onHeaders(status, { "content-type": "application/json" }, () => {});
            receiver.onData(Buffer.from(JSON.stringify(value)));
            receiver.onEnd();
          },
        });
        receiver.onStart(() => {});
      },
      close: async () => {},
    },
    fetchMedia: () => Promise.reject(new Error("nothing is to be fetched")),
    now: () => 1_700_000_000_000,
    random: () => 0,
    reportFailure: () => {},
    ...settings.ports,
  };
  const relay = createRelay(ports);
  const common = (response: RecordingResponse, clientHeaders: ClientHeaders) => ({
    key,
    pinned: undefined,
    response,
    requestId: "req-1",
    clientHeaders,
    headers: { "x-request": "req-1" },
    describe: ({ code, upstream }: Refusal) => ({
      status: upstream?.status ?? 500,
      code: upstream?.code ?? code,
      message: `${code} ${upstream?.message ?? ""}`.trim(),
    }),
    memory: UNBOUNDED_MEMORY,
  });
  return {
    relay,
    user,
    key,
    sent,
    charges,
    failures,
    /** The targets that were reported as unusable. */
    deadKeys,
    /** Sets whether names of models may end with an effort. */
    readsEffortNames(isOn: boolean): void {
      readsEffortNames = isOn;
    },
    /** @param text of the body, where it is written otherwise. @returns the answer, once it has come. */
    chat(
      client: ClientProtocol,
      fields: Record<string, unknown>,
      headers: ClientHeaders = {},
      text?: string,
    ): RecordingResponse {
      const given = { model: "m", messages: [{ role: "user", content: "hi" }], ...fields };
      const { models = [] }: { models?: unknown } = fields;
      // A body that only lists models is parsed with the first one's name, but its bytes stay unchanged.
      const body = { ...given, model: given.model ?? (Array.isArray(models) ? models[0] : undefined) };
      const response = new RecordingResponse();
      const address = client.requireOneModel
        ? { model: String(body.model), isStream: fields.stream === true }
        : undefined;
      const asked = client.summarizeRequest(body, address);
      const resolved = resolveChat(ports.directory, key, asked.model);
      relay.run({
        ...common(response, headers),
        client,
        alias: resolved.alias,
        effort: resolved.effort,
        rawBody: Buffer.from(text ?? JSON.stringify(given)),
        body,
        summary: { ...asked, model: resolved.model },
      });
      return response;
    },
    operate(
      client: ClientProtocol,
      operation: Operation,
      name: string,
      fields: Record<string, unknown>,
      headers: ClientHeaders = {},
    ): RecordingResponse {
      const response = new RecordingResponse();
      const { model, alias } = resolveModel(key, name);
      const input = { fields: alias === undefined ? fields : { ...fields, model }, uploads: [] };
      relay.runOperation({
        ...common(response, headers),
        client,
        operation,
        model,
        alias,
        input,
        summary: operation.summarizeRequest(input, model),
        rawBody: Buffer.from(JSON.stringify(fields)),
        form: undefined,
      });
      return response;
    },
  };
};
