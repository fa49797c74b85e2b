import {
  type DetailedTestBody,
  isTestChat,
  TEST_CHATS,
  TEST_OPERATIONS,
  type TestChat,
  type TestEndpoint,
  type TestOperation,
} from "@tollgate/contract/api/channel-upstream";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { ONE, ZERO } from "@tollgate/contract/values/decimal";
import { findPrice } from "@tollgate/metering/price";
import { OPERATIONS } from "@tollgate/protocols/openai-operations/openai-operations";
import { UPSTREAM_PROTOCOLS } from "@tollgate/protocols/protocols";
import { parseJson } from "@tollgate/protocols/shared/json/safe-json";
import { createSseDecoder } from "@tollgate/protocols/shared/stream/sse-decoder";
import { OPERATION_CLIENT, TRIAL_CLIENTS, trialBody } from "@tollgate/protocols/trial-requests";
import { KeptResponse, MAX_ANSWER_BYTES } from "./kept-response";
import type { ChargeRecord, RequestRecord } from "./ports/charges";
import type { Describe } from "./ports/client";
import type { UpstreamTarget } from "./ports/directory";
import type { RelayPorts } from "./ports/relay-ports";
import type { FailureDetail, Transport } from "./ports/transport";
import { type ProbeReason, testModelOf } from "./probe";
import { createRelay } from "./relay";
import { upstreamOperation } from "./routing/upstream-operation";
import { FREE_MEMORY, freePricing, separatePayer, separatePorts } from "./separate-engine";

/** A test is given up after this time. */
const LONGEST_MS = 120_000;
/** The length of the answer's beginning. */
const MAX_TEXT = 2000;
const DEFAULT_PROMPT = "hi";

/** What a test needs of the engine's surroundings. */
export type TrialPorts = Pick<
  RelayPorts,
  "transport" | "now" | "random" | "tokenCounter" | "fetchMedia" | "quietMs" | "timeLimitsOf"
> & { buys: RelayPorts["pricing"]["buys"] };

/** The outcome of a test. */
export interface Trial {
  model: string;
  /** The charge that a request of a customer would have been; undefined when it failed. */
  charge: ChargeRecord | undefined;
  /** Why it failed, without addresses or secrets; undefined when it went well. */
  reason: ProbeReason | undefined;
  firstByteMs: number | undefined;
  durationMs: number;
  /** The beginning of the answer. */
  text: string;
  bytes: number;
}

const operationFields = (endpoint: TestOperation, model: string, prompt: string): Record<string, unknown> => {
  switch (endpoint) {
    case "images":
      return { model, prompt, n: 1 };
    case "speech":
      return { model, input: prompt, voice: "alloy" };
    case "rerank":
      return { model, query: prompt, documents: [prompt] };
    case "embeddings":
    case "moderations":
      return { model, input: prompt };
  }
};

/** The words of a chat's answer, whole or as a stream. */
const wordsOf = (client: (typeof TRIAL_CLIENTS)[TestChat], bytes: Buffer, isStream: boolean): string => {
  const protocol = UPSTREAM_PROTOCOLS[client.name];
  if (!isStream) {
    const parts = protocol.readResponse(parseJson(bytes.toString("utf8")))?.parts ?? [];
    return parts.map((part) => ("text" in part ? part.text : "")).join("");
  }
  const decoder = createSseDecoder(MAX_ANSWER_BYTES);
  const reader = protocol.createStreamReader();
  return [...decoder.push(bytes), ...decoder.end()]
    .flatMap(({ event, data }) => reader.push(event, data))
    .map((part) =>
      part.kind === "text" || part.kind === "reasoning" || part.kind === "refusal" ? part.text : "",
    )
    .join("");
};

/** The endpoints at which a channel can be tested: chats always, since they are translated. */
export const testEndpointsOf = (entry: UpstreamTarget): TestEndpoint[] => [
  ...TEST_CHATS,
  ...(Object.keys(TEST_OPERATIONS) as TestOperation[]).filter(
    (name) => upstreamOperation(entry, TEST_OPERATIONS[name]) !== undefined,
  ),
];

const readDetail = (detail: FailureDetail): ProbeReason => {
  if (typeof detail === "string") return detail;
  const { status, ...fault } = detail;
  return status === undefined || status === 0 ? { fault } : { answer: fault, status };
};

/** Notes why a connection failed: the details of that may hold addresses. */
const watchedTransport = ({ send, close }: Transport, trial: Trial): Transport => ({
  close,
  send: (request, receiver) =>
    send(request, {
      onStart: (abort) => receiver.onStart(abort),
      onHeaders: (status, headers, resume) => receiver.onHeaders(status, headers, resume),
      onData: (chunk) => receiver.onData(chunk),
      onEnd: () => receiver.onEnd(),
      onFailure(failure) {
        trial.reason ??= { transport: failure.kind };
        receiver.onFailure(failure);
      },
    }),
});

/** Ports of a separate engine, so that a test changes neither circuits nor limits nor balances. */
const portsOf = (tools: TrialPorts, entry: UpstreamTarget, trial: Trial): RelayPorts => ({
  ...separatePorts(tools, entry),
  pricing: {
    ...freePricing((model, group) =>
      findPrice(
        {
          modelRatios: new Map([[model, ZERO]]),
          completionRatios: new Map([[model, ONE]]),
          groupRatios: new Map(),
        },
        model,
        group,
        tools.now(),
      ),
    ),
    ...(tools.buys ? { buys: tools.buys } : {}),
  },
  charges: {
    noteRefused() {},
    noteFailure: ({ attempts }: RequestRecord) => {
      trial.firstByteMs = attempts.at(-1)?.firstByteMs;
    },
    commit(record, done) {
      trial.charge = record;
      trial.firstByteMs = record.firstByteMs ?? record.attempts.at(-1)?.firstByteMs;
      done(undefined);
    },
  },
  transport: watchedTransport(tools.transport, trial),
  reportFailure: ({ detail }) => {
    trial.reason ??= readDetail(detail);
  },
});

/** Sends one request of an administrator's choice to a channel, through the engine that customers' requests take. */
export const tryChannel = (
  tools: TrialPorts,
  target: UpstreamTarget,
  { model = "", endpoint = "chat", stream = false, prompt = "" }: DetailedTestBody,
  describe: Describe,
): Promise<Trial> => {
  // Tests are neither delayed nor counted by limits.
  const entry = { ...target, limited: undefined };
  const asked = model.trim() || testModelOf(entry.channel);
  const trial: Trial = {
    model: asked,
    charge: undefined,
    reason: undefined,
    firstByteMs: undefined,
    durationMs: 0,
    text: "",
    bytes: 0,
  };
  const relay = createRelay(portsOf(tools, entry, trial));
  const response = new KeptResponse();
  const startedAtMs = tools.now();
  const common = {
    key: separatePayer(),
    pinned: [entry],
    response,
    requestId: "",
    clientHeaders: {},
    headers: {},
    describe: (refusal: Parameters<Describe>[0]) => {
      const error = describe(refusal);
      trial.reason ??= error.message;
      return error;
    },
    memory: FREE_MEMORY,
  };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      trial.reason ??= { transport: "timeout" };
      response.destroy();
    }, LONGEST_MS);
    response.on("close", () => {
      clearTimeout(timer);
      trial.durationMs = tools.now() - startedAtMs;
      trial.bytes = response.byteCount;
      const { bytes } = response;
      const isWhole = trial.charge !== undefined && trial.reason === undefined;
      if (isWhole && isTestChat(endpoint)) trial.text = wordsOf(TRIAL_CLIENTS[endpoint], bytes, stream);
      else if (isWhole && endpoint !== "speech") trial.text = bytes.toString("utf8", 0, 4 * MAX_TEXT);
      trial.text = trial.text.slice(0, MAX_TEXT);
      resolve(trial);
    });
    try {
      const said = prompt.trim() || DEFAULT_PROMPT;
      if (isTestChat(endpoint)) {
        const client = TRIAL_CLIENTS[endpoint];
        const body = trialBody(endpoint, asked, said, stream);
        const rawBody = Buffer.from(JSON.stringify(body));
        relay.run({ ...common, client, rawBody, body, summary: client.summarizeRequest(body) });
      } else {
        const operation = OPERATIONS[TEST_OPERATIONS[endpoint]];
        const input = { fields: operationFields(endpoint, asked, said), uploads: [] };
        const rawBody = Buffer.from(JSON.stringify(input.fields));
        const summary = operation.summarizeRequest(input, asked);
        relay.runOperation({
          ...common,
          client: OPERATION_CLIENT,
          operation,
          model: asked,
          input,
          summary,
          rawBody,
          form: undefined,
        });
      }
    } catch (error) {
      if (!(error instanceof RequestInvalid)) {
        clearTimeout(timer);
        reject(error);
        return;
      }
      trial.reason = { request: error.fault };
      response.destroy();
    }
  });
};
