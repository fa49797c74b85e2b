import { approximateTokens } from "@tollgate/metering/estimate";
import { findPrice } from "@tollgate/metering/price";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { entryOf } from "../testing/entry-of";
import { type Sent, smallRelay } from "../testing/small-relay";

/* Costs of attempts that ended without an answer for the client (docs/guides/profit.md#attempts-that-ended). */

const CHAT = CLIENT_PROTOCOLS["openai-chat"];
const RATIOS = parseRatioTable('{"m":1}')!;
const PRICES = { modelRatios: RATIOS, completionRatios: RATIOS, groupRatios: new Map() };
const BALANCE = 1_000_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const chunk = (delta: object, usage?: object): string =>
  `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: null }], usage })}\n\n`;
const WORD = chunk({ content: "word ".repeat(20) });
const END = `data: ${JSON.stringify({ id: "x", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: ${JSON.stringify({ id: "x", choices: [], usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 } })}\n\ndata: [DONE]\n\n`;

const head = ({ receiver }: Sent): void =>
  receiver.onHeaders(200, { "content-type": "text/event-stream" }, () => {});
const say = ({ receiver }: Sent, text: string): boolean => receiver.onData(Buffer.from(text));
const breakOff = ({ receiver }: Sent): void => receiver.onFailure({ kind: "reset", detail: "ECONNRESET" });

/** Every upstream sells at the site's price: a token costs a thousand thousandths. */
const world = () =>
  smallRelay({
    channels: [1, 2, 3].map((id) => entryOf({ id, priority: -id, firstTokenSeconds: 5 })),
    prices: PRICES,
    quota: BALANCE,
    retryTimes: 2,
    buys: (_channel, model) => findPrice(PRICES, model, "default", 0),
  });

const costsOf = ({ charges, failures }: ReturnType<typeof world>) =>
  [...charges, ...failures].flatMap(({ attempts }) => attempts.map(({ endedCost }) => endedCost));

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);
const FIELDS = { stream: true, max_tokens: 100 };

it("books the estimated prompt of an attempt that was too slow, and charges the other answer alone", async () => {
  const small = world();
  small.chat(CHAT, FIELDS);
  await seconds(5.1);
  const second = small.sent[1] as Sent;
  head(second);
  say(second, WORD + END);
  second.receiver.onEnd();
  const [slow, answered] = costsOf(small);
  expect(slow).toMatchObject({ model: "m", isEstimate: true });
  expect(slow?.cost).toBeGreaterThan(0);
  expect(answered).toBeUndefined();
  expect(small.charges).toMatchObject([{ quota: 12, cost: { cost: 12_000 } }]);
});

it("books the delivered part of a stream that broke off, of which the client pays nothing", async () => {
  const small = world();
  small.chat(CHAT, FIELDS);
  const [sent] = small.sent as [Sent];
  head(sent);
  say(sent, WORD + chunk({ content: "" }, { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 }));
  breakOff(sent);
  expect(costsOf(small)).toMatchObject([{ cost: (9 + approximateTokens(100)) * 1000, isEstimate: true }]);
  expect(small.charges).toEqual([]);
  expect(small.user).toMatchObject({ quota: BALANCE, held: 0 });
});

it("books the estimated prompt of a request whose client left before it was given anything", () => {
  const small = world();
  small.chat(CHAT, { max_tokens: 100 }).destroy();
  expect(costsOf(small)).toMatchObject([{ isEstimate: true }]);
  expect(small.charges).toEqual([]);
  expect(small.user).toMatchObject({ quota: BALANCE, held: 0 });
});

it.each([
  ["refuses", (sent: Sent) => sent.json(500, { error: { message: "busy" } })],
  ["is unreachable", (sent: Sent) => sent.receiver.onFailure({ kind: "connect", detail: "ECONNREFUSED" })],
  [
    "accepts no connection in time",
    (sent: Sent) => sent.receiver.onFailure({ kind: "timeout", detail: { code: "connect-timeout" } }),
  ],
  ["breaks off before it says anything", breakOff],
])("books nothing for an upstream that %s", (_, fail) => {
  const small = world();
  small.chat(CHAT, FIELDS);
  fail(small.sent[0] as Sent);
  expect(costsOf(small).every((cost) => cost === undefined)).toBe(true);
});

it("books nothing where the upstream's price is unknown", async () => {
  const small = smallRelay({ channels: [entryOf({ id: 1, firstTokenSeconds: 5 })], prices: PRICES });
  small.chat(CHAT, FIELDS);
  await seconds(5.1);
  expect(small.failures).toHaveLength(1);
  expect(costsOf(small)).toEqual([undefined]);
});

it.each(seeds(40))(
  "charges answers alone, and books each other attempt once at most (seed %i)",
  async (seed) => {
    const random = createRandom(seed);
    const small = world();
    const response = small.chat(CHAT, FIELDS);
    let ended = 0;
    for (let attempt = 0; attempt < 3 && small.sent.length > attempt; attempt += 1) {
      const sent = small.sent[attempt] as Sent;
      const draw = random();
      if (draw < 0.3) {
        await seconds(6);
        ended += 1;
      } else if (draw < 0.5) sent.json(503, { error: { message: "busy" } });
      else if (draw < 0.65) {
        response.destroy();
        ended += 1;
        break;
      } else if (draw < 0.8) {
        head(sent);
        say(sent, WORD);
        breakOff(sent);
        ended += 1;
        break;
      } else {
        head(sent);
        say(sent, WORD + END);
        sent.receiver.onEnd();
        break;
      }
    }
    const booked = costsOf(small).filter((cost) => cost !== undefined);
    expect(booked).toHaveLength(ended);
    const charged = small.charges.reduce((sum, { quota }) => sum + quota, 0);
    expect(small.charges.every(({ quota, cost }) => cost?.cost === quota * 1000)).toBe(true);
    expect(small.user).toMatchObject({ quota: BALANCE - charged, held: 0 });
  },
);
