import type { Channel } from "@tollgate/contract/api/channels";
import type { ModelPrices } from "@tollgate/contract/management/model-price";
import type { Operation, OperationInput } from "@tollgate/contract/relay/operation";
import { hold } from "@tollgate/metering/ledger";
import { findPrice } from "@tollgate/metering/price";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { OPERATIONS } from "@tollgate/protocols/openai-operations/openai-operations";
import { OPERATION_CLIENT } from "@tollgate/protocols/trial-requests";
import { UNBOUNDED_MEMORY } from "@tollgate/testkit/unbounded-memory";
import type { FormShape } from "../pipeline/build-operation-call";
import type { ChargeRecord } from "../ports/charges";
import type { ApiKey, UpstreamTarget } from "../ports/directory";
import type { RelayPorts } from "../ports/relay-ports";
import type { UpstreamReceiver, UpstreamRequest } from "../ports/transport";
import { createRelay } from "../relay";
import { entryOf } from "./entry-of";
import { RecordingResponse } from "./recording-response";

const tableOf = (ratios: Record<string, number>) => {
  const table = parseRatioTable(JSON.stringify(ratios));
  if (!table) throw new Error("these are no ratios");
  return table;
};

const MODELS = tableOf({ "tts-1": 7.5, "dall-e-2": 8, "whisper-1": 15, embed: 2, text: 1, wordless: 1 });
const COMPLETIONS = tableOf({ text: 1 });
const GROUPS = tableOf({ default: 1 });

export const channelOf = (id: number, more: Partial<Channel> = {}): UpstreamTarget =>
  entryOf({ id, models: [], ...more });

interface Sent {
  request: UpstreamRequest;
  receiver: UpstreamReceiver;
  isAborted: boolean;
  resumed: number;
  head(status: number, type: string): void;
  whole(status: number, type: string, text: string): void;
}

/** A relay for one user, whose upstreams and storage the test plays. */
export const setUp = (
  settings: {
    channels?: UpstreamTarget[];
    quota?: number;
    retryTimes?: number;
    countsDrainMs?: number;
    modelPrices?: ModelPrices;
  } = {},
) => {
  const account = (id: number) => ({ id, quota: settings.quota ?? 1_000_000, held: 0, isUnlimited: false });
  const user = account(1);
  const key: ApiKey = {
    id: 2,
    name: "laptop",
    status: 1,
    expiredTime: -1,
    account: account(2),
    user: { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account: user },
  };
  const charges: ChargeRecord[] = [];
  const commits: ((error: Error | undefined) => void)[] = [];
  const sent: Sent[] = [];
  const state = { isStorageSlow: false };
  const ports = {
    directory: {
      findKey: () => key,
      keysOfChannel: () => [],
      groupsOf: () => [],
      candidates: () => settings.channels ?? [channelOf(1)],
      isListed: () => false,
      markKey: () => {},
      reportDeadKey: () => {},
    },
    holds: { place: hold },
    pricing: {
      find: (model: string, group: string) =>
        findPrice(
          {
            modelRatios: MODELS,
            completionRatios: COMPLETIONS,
            groupRatios: GROUPS,
            modelPrices: settings.modelPrices ?? new Map(),
          },
          model,
          group,
          0,
        ),
      defaultHoldTokens: () => 500,
      drainMs: () => 0,
      countsDrainMs: () => settings.countsDrainMs ?? 0,
      retryTimes: () => settings.retryTimes ?? 0,
    },
    charges: {
      noteRefused() {},
      noteFailure() {},
      commit(record: ChargeRecord, done: (error: Error | undefined) => void) {
        charges.push(record);
        if (state.isStorageSlow) commits.push(done);
        else done(undefined);
      },
    },
    tokenCounter: {
      count: (_model: string, text: string, done: (tokens: number) => void) =>
        done(Math.ceil(text.length / 4)),
    },
    transport: {
      send(request: UpstreamRequest, receiver: UpstreamReceiver) {
        const one: Sent = {
          request,
          receiver,
          isAborted: false,
          resumed: 0,
          head(status, type) {
            receiver.onHeaders(status, { "content-type": type }, () => {
              one.resumed += 1;
            });
          },
          whole(status, type, text) {
            one.head(status, type);
            receiver.onData(Buffer.from(text));
            receiver.onEnd();
          },
        };
        sent.push(one);
        receiver.onStart(() => {
          one.isAborted = true;
        });
      },
      close: async () => {},
    },
    fetchMedia: () => Promise.reject(new Error("no operation fetches images")),
    now: () => 1_700_000_000_000,
    random: () => 0,
    reportFailure: () => {},
  } satisfies RelayPorts;
  const relay = createRelay(ports);
  const run = (
    name: keyof typeof OPERATIONS,
    model: string,
    input: OperationInput,
    rawBody: Uint8Array = Buffer.from(JSON.stringify({ ...input.fields })),
    form?: FormShape,
  ) => {
    const response = new RecordingResponse();
    const operation: Operation = OPERATIONS[name];
    relay.runOperation({
      client: OPERATION_CLIENT,
      operation,
      model,
      input,
      summary: operation.summarizeRequest(input, model),
      rawBody,
      form,
      key,
      pinned: undefined,
      response,
      requestId: "req-1",
      clientHeaders: {},
      headers: {},
      describe: (refusal) => ({
        status: refusal.upstream?.status ?? 500,
        code: refusal.code,
        message: refusal.code,
      }),
      memory: UNBOUNDED_MEMORY,
    });
    return response;
  };
  const expectNothingLeft = () => {
    const left = [user.held, key.account.held, relay.active];
    if (left.some((count) => count !== 0)) throw new Error(`a request left something behind: ${left}`);
  };
  return { run, sent, charges, commits, user, relay, state, expectNothingLeft };
};
