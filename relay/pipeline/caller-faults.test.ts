import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { literalsOf } from "@tollgate/testkit/openai-types";
import { someOf } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { entryOf } from "../testing/entry-of";
import { smallRelay } from "../testing/small-relay";

/*
 * A request that an upstream refuses for its content must reach its client as the client's own fault: as a 400 with the
 * upstream's code and reason. SDKs retry a 502, and another channel would refuse the same request again.
 */

const UPSTREAMS_FAULTS = [
  "server_error",
  "rate_limit_exceeded",
  "vector_store_timeout",
  "data_residency_mismatch",
];
/** Codes of the API and of newer SDKs beyond the SDK's type. */
const NEWER = ["cyber_policy", "bio_policy", "misalignment_policy_violation"];
const CALLERS_FAULTS = [...new Set([...literalsOf("ResponseError", "code"), ...NEWER])].filter(
  (code) => !UPSTREAMS_FAULTS.includes(code),
);

/** OpenAI offers it over Responses alone. */
const MODEL = "gpt-5-codex";
const RATIOS = parseRatioTable(`{"${MODEL}":1}`)!;
const REASON = "The image cannot be used.";
const event = (value: { type: string }) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const failed = (code: string) => ({
  id: "resp_1",
  object: "response",
  status: "failed",
  model: "m",
  output: [],
  usage: null,
  error: { code, message: REASON },
});
const CREATED = event({
  type: "response.created",
  ...{ response: { ...failed(""), error: null, status: "in_progress" } },
});
const DELTA = event({
  type: "response.output_text.delta",
  ...{ item_id: "msg_1", output_index: 0, content_index: 0, delta: "Hello there" },
});

/** The forms in which the Responses API reports a failure, after a success's status. */
const FORMS: Readonly<Record<string, (code: string) => { type: string; body: string }>> = {
  "a whole answer": (code) => ({ type: "application/json", body: JSON.stringify(failed(code)) }),
  "response.failed": (code) => ({
    type: "text/event-stream",
    body: CREATED + event({ type: "response.failed", ...{ response: failed(code) } }),
  }),
  "an error event": (code) => ({
    type: "text/event-stream",
    body: CREATED + event({ type: "error", ...{ code, message: REASON, param: null } }),
  }),
  "response.failed after content": (code) => ({
    type: "text/event-stream",
    body: CREATED + DELTA + event({ type: "response.failed", ...{ response: failed(code) } }),
  }),
};

const BODIES: Readonly<Record<keyof typeof CLIENT_PROTOCOLS, Record<string, unknown>>> = {
  "openai-chat": {},
  "openai-responses": { input: "hi", messages: undefined },
  "anthropic-messages": { max_tokens: 100 },
  "gemini-generate": { contents: [{ role: "user", parts: [{ text: "hi" }] }], messages: undefined },
};

const setUp = () =>
  smallRelay({
    channels: [1, 2].map((id) => entryOf({ id, models: [MODEL] })),
    prices: { modelRatios: RATIOS, completionRatios: RATIOS },
    retryTimes: 3,
  });

const CASES = Object.keys(CLIENT_PROTOCOLS).flatMap((client) =>
  Object.keys(FORMS).flatMap((form) => CALLERS_FAULTS.map((code) => [client, form, code] as const)),
);

describe("C16: a failure that is the caller's fault", () => {
  it("covers the codes of OpenAI's SDK", () => {
    expect(CALLERS_FAULTS.length).toBeGreaterThanOrEqual(18);
  });

  it.each(someOf(CASES))("reaches a client of %s from %s as its own: %s", async (name, form, code) => {
    const world = setUp();
    const client = CLIENT_PROTOCOLS[name as keyof typeof CLIENT_PROTOCOLS];
    const { type, body } = FORMS[form]!(code);
    const response = world.chat(client, {
      model: MODEL,
      ...BODIES[name as keyof typeof CLIENT_PROTOCOLS],
      ...(type === "text/event-stream" ? { stream: true } : {}),
    });
    const { receiver } = world.sent[0]!;
    receiver.onHeaders(200, { "content-type": type }, () => {});
    receiver.onData(Buffer.from(body));
    receiver.onEnd();
    await new Promise(setImmediate);
    expect(response.writableEnded).toBe(true);
    expect(world.sent).toHaveLength(1);
    expect(world.charges).toEqual([]);
    expect([world.user.quota, world.user.held]).toEqual([1_000_000, 0]);
    const hasBegun = form === "response.failed after content";
    expect(response.status).toBe(hasBegun ? 200 : 400);
    expect(response.text).toContain(REASON);
    if (name !== "anthropic-messages") expect(response.text.toLowerCase()).toContain(`"${code}"`);
  });
});

/** Types of channels, and how the vendor words a refusal that quotes the request, with a status of the caller's. */
const QUOTING: readonly [
  type: number,
  client: keyof typeof CLIENT_PROTOCOLS,
  refusal: (quoted: string) => object,
][] = [
  [
    8,
    "openai-chat",
    (quoted) => ({
      error: {
        message: `Invalid schema for function 'f': '${quoted}' is not valid under any of the given schemas.`,
        type: "invalid_request_error",
        code: "invalid_function_parameters",
      },
    }),
  ],
  [
    14,
    "anthropic-messages",
    (quoted) => ({
      type: "error",
      error: { type: "invalid_request_error", message: `${quoted}: Extra inputs are not permitted` },
    }),
  ],
  [
    24,
    "gemini-generate",
    (quoted) => ({
      error: {
        code: 400,
        status: "INVALID_ARGUMENT",
        message: `Invalid JSON payload received. Unknown name "${quoted}": Cannot find field.`,
      },
    }),
  ],
];

const PHRASES = [
  "api key not valid",
  "Your credit balance is too low",
  "does not have access to model",
  "余额不足",
];

const escaped = (text: string): string =>
  [...text].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

describe("a refusal that quotes the request", () => {
  const CASES_OF_WORDS = QUOTING.flatMap(([type, client, refusal]) =>
    PHRASES.flatMap((phrase) =>
      [false, true].map((isEscaped) => [type, client, phrase, isEscaped, refusal] as const),
    ),
  );

  const ask = (
    [type, name]: readonly [number, keyof typeof CLIENT_PROTOCOLS],
    field: string,
    answer: object,
    isEscaped = false,
  ) => {
    const world = smallRelay({
      channels: [1, 2].map((id) => entryOf({ id, type, models: [MODEL] })),
      prices: { modelRatios: RATIOS, completionRatios: RATIOS },
      retryTimes: 3,
    });
    const body = { model: MODEL, ...BODIES[name], [field]: 1 };
    const raw = isEscaped ? JSON.stringify(body).replace(field, escaped(field)) : undefined;
    const response = world.chat(CLIENT_PROTOCOLS[name], body, {}, raw);
    world.sent[0]?.json(400, answer);
    return { world, response };
  };

  it.each(CASES_OF_WORDS)(
    "takes no key of type %i out of use, and reaches a client of %s: %s (escaped: %s)",
    (type, name, phrase, isEscaped, refusal) => {
      const { world, response } = ask([type, name], phrase, refusal(phrase), isEscaped);
      expect(response.status).toBe(400);
      expect(world.sent).toHaveLength(1);
      expect(world.deadKeys).toEqual([]);
    },
  );

  it.each(QUOTING)(
    "of a channel of type %i ends the key where the words are the vendor's own",
    (type, name, refusal) => {
      const phrase = name === "anthropic-messages" ? "Your credit balance is too low" : "api key not valid";
      const { world } = ask([type, name], "other", refusal(phrase));
      expect(world.deadKeys).toHaveLength(1);
      expect(world.sent).toHaveLength(2);
    },
  );
});
