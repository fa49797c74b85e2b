import { encodeChannelBody } from "@tollgate/contract/api/channels";
import type { Receipt } from "@tollgate/contract/api/receipts";
import type { TimeLimits } from "@tollgate/contract/management/time-limits";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Stage, startStage } from "./stage";
import { type ClientShape, sendRaw, smallCall } from "./wire";

/* Time limits of channels over real sockets (docs/guides/channels.md#time-limits). */

const MODEL = "gpt-3.5-turbo";
/** Faults of the upstream; the late channel asks for one by its model's name, the other channel for none. */
type Lateness = "slow-first-byte" | "slow" | "stall-mid-stream";
/** 13 prompt and 5 completion tokens, as the upstream tells them. */
const PRICE = 18;
/** Far beyond the limits, which have whole seconds. */
const DELAY_MS = 20_000;

let stage: Stage;
let account: Account;
/** The channel that is late. */
let late = 0;

/** Replaces the late channel: a new one is not paused for the late answers of the one before. */
const limit = async (lateness: Lateness, limits: TimeLimits): Promise<void> => {
  if (late > 0) await stage.root.data("DELETE", `/api/channel/${late}`);
  late = await addChannel(stage.root, {
    base_url: stage.upstream.url,
    models: MODEL,
    priority: 1,
    model_mapping: JSON.stringify({ [MODEL]: `${MODEL}--${lateness}` }),
    ...encodeChannelBody(limits),
  });
};

beforeAll(async () => {
  stage = await startStage();
  await stage.setOption("RetryTimes", "1");
  // The names of the late channel have no price of their own.
  await stage.setOption("FallbackModelRatio", "1");
  await addChannel(stage.root, { base_url: stage.upstream.url, models: MODEL });
  account = await stage.addAccount("alice", 1_000_000);
});
afterAll(() => stage?.close());
beforeEach(() => {
  stage.upstream.reset();
  stage.upstream.script({ delayMs: DELAY_MS });
});

const CLIENTS: readonly ClientShape[] = ["chat", "messages", "responses", "gemini"];

const ask = async (client: ClientShape, isStream: boolean) => {
  const { path, body } = smallCall(client, MODEL, isStream);
  const answer = await sendRaw(stage.server.url + path, { authorization: `Bearer ${account.key}` }, body);
  const id = answer.headers.get("x-request-id") ?? answer.headers.get("request-id") ?? "";
  const read = () => stage.root.data<Receipt>("GET", `/api/log/receipt?request_id=${id}`);
  // The receipt follows the answer.
  await expect.poll(() => read().catch(() => undefined), { timeout: 10_000 }).toBeDefined();
  const receipt = await read();
  return { ...answer, receipt };
};

const quota = async () => (await account.figures()).user.quota;

describe.each<[what: string, Lateness, TimeLimits, isStream: boolean, outcome: string]>([
  ["late headers", "slow-first-byte", { headersSeconds: 1 }, true, "late-answer"],
  ["a late first token", "slow", { firstTokenSeconds: 1 }, true, "late-first-token"],
  ["a late whole answer", "slow", { wholeAnswerSeconds: 1 }, false, "late-answer"],
])("after %s", (_, lateness, limits, isStream, outcome) => {
  it.each(CLIENTS)(
    "the next channel answers a client of %s, and the late attempt costs nothing",
    async (client) => {
      await limit(lateness, limits);
      const before = await quota();
      const { status, text, receipt } = await ask(client, isStream);
      expect([status, text.includes("Hello")], text).toEqual([200, true]);
      expect(receipt.attempts.map((attempt) => attempt.outcome)).toEqual([outcome, "ok"]);
      expect(receipt.attempts[0]?.channel).toBe(late);
      expect(receipt.quota).toBe(PRICE);
      expect(before - (await quota())).toBe(PRICE);
      await expect.poll(() => stage.upstream.requests[0]?.isAbandoned).toBe(true);
    },
  );
});

describe("a gap in the middle of a stream", () => {
  it.each(CLIENTS)(
    "ends the stream of a client of %s with an error, and only what was delivered is charged",
    async (client) => {
      await limit("stall-mid-stream", { tokenGapSeconds: 1 });
      const before = await quota();
      const { status, text, receipt } = await ask(client, true);
      expect(status).toBe(200);
      expect(text).not.toContain("help?");
      expect(receipt.attempts.map((attempt) => attempt.outcome)).toEqual(["late-token"]);
      const paid = before - (await quota());
      expect(paid).toBe(receipt.quota);
      expect(paid).toBeGreaterThan(0);
      expect(stage.upstream.requests).toHaveLength(1);
    },
  );
});

it("without another channel a late answer is a time-out, which costs nothing", async () => {
  await stage.setOption("RetryTimes", "0");
  await limit("slow", { wholeAnswerSeconds: 1 });
  const before = await account.figures();
  const { status } = await ask("chat", false);
  expect(status).toBe(504);
  expect(await account.figures()).toEqual(before);
});
