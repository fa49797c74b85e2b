import type { ErrorRewrite, UpstreamSaying } from "@tollgate/contract/relay/error";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { expect, it } from "vitest";
import { entryOf } from "../testing/entry-of";
import { smallRelay } from "../testing/small-relay";

const REWRITE: ErrorRewrite = { status: 503, text: { en: "Busy" } };
const SECRET = "sk-upstream-secret-0123456789";

/** A relay with two channels, that rewrites every error and keeps what it was asked about. */
const setUp = (retryTimes: number) => {
  const asked: UpstreamSaying[] = [];
  const world = smallRelay({
    channels: [1, 2].map((id) => entryOf({ id, models: ["m", "n"] }, { key: SECRET })),
    prices: {
      modelRatios: parseRatioTable('{"m":1,"n":1}')!,
      completionRatios: parseRatioTable('{"m":1,"n":1}')!,
    },
    retryTimes,
    ports: {
      rewriteError: (said) => {
        asked.push(said);
        return REWRITE;
      },
      fallbacks: { of: () => ({ models: ["n"], on: ["context-length"] }) },
    },
  });
  return { ...world, asked, ask: () => world.chat(CLIENT_PROTOCOLS["openai-chat"], {}) };
};

const ANSWER = {
  id: "c",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello!" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
};

it("asks for a rule once, for the error that the client is told", () => {
  const { ask, sent, asked, failures } = setUp(1);
  ask();
  sent[0]?.json(500, { error: { message: "first", code: "server_error" } });
  sent[1]?.json(429, { error: { message: `second ${SECRET}`, code: "rate_limit_exceeded" } });
  expect(asked).toEqual([
    { channelId: 2, channelType: 1, status: 429, code: "rate_limit_exceeded", message: "second [key]" },
  ]);
  expect(failures[0]).toMatchObject({
    refusal: "upstream-rate-limited",
    told: { original: asked[0], rewrite: REWRITE },
  });
});

it("tries the next channel by the upstream's own error", () => {
  const { ask, sent, asked, charges } = setUp(1);
  ask();
  sent[0]?.json(500, { error: { message: "first" } });
  sent[1]?.json(200, ANSWER);
  expect(asked).toEqual([]);
  expect(charges).toHaveLength(1);
});

it("finds the fallback model by the upstream's own words", () => {
  const { ask, sent, asked, charges } = setUp(0);
  ask();
  sent[0]?.json(400, { error: { message: "maximum context length", code: "context_length_exceeded" } });
  expect(sent).toHaveLength(2);
  sent[1]?.json(200, ANSWER);
  expect(asked).toEqual([]);
  expect(charges[0]?.model).toBe("n");
});

it("asks for none when the gateway itself refuses", () => {
  const { chat, asked, failures } = setUp(0);
  chat(CLIENT_PROTOCOLS["openai-chat"], { model: "unpriced" });
  expect(failures[0]?.told?.code).toBe("model-price-missing");
  expect(asked).toEqual([]);
});

it.each([
  ["an error inside a success", 200, { error: { message: "overloaded", code: "503" } }, 200],
  ["a redirect", 302, { error: { message: "elsewhere" } }, 302],
])("reads the status of %s", (_, status, body, expected) => {
  const { ask, sent, asked } = setUp(0);
  ask();
  sent[0]?.json(status, body);
  expect(asked[0]?.status).toBe(expected);
});
