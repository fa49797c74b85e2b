import { readOverrides } from "@tollgate/contract/management/channel-overrides";
import { channelOf } from "@tollgate/testkit/channel-of";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { readChannelChange, readChannelToAskAgain } from "./channel-fields";

const SECRET = "Token hunter2-hunter2";
const STORED = readOverrides({ headers: { "x-own": SECRET, "x-other": "hunter2-too" } });
const KNOWN = channelOf({ id: 1, type: 8, baseUrl: "https://theirs.test" });

/** Where a stored secret would be sent to. */
const MOVES = [
  { baseUrl: "https://mine.test" },
  { baseUrl: "https://theirs.test:8443" },
  { proxy: "http://mine.test:8080" },
  { type: 1 },
];

describe("headers whose values are hidden from every reader", () => {
  it.each(seeds(50))("go to no other address, however their place is written (seed %i)", (seed) => {
    const random = createRandom(seed);
    const below = (bound: number): number => Math.floor(random() * bound);
    /** The same text to a JSON parser. */
    const escaped = (text: string): string =>
      `"${[...text].map((sign) => (random() < 0.6 ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)).join("")}"`;
    const value = ["***", " ***", "***\t", "*** "][below(4)] ?? "***";
    const overrides = `{${escaped("headers")}:{${escaped(["x-own", "X-Own", " x-own "][below(3)] ?? "")}:${escaped(value)}}}`;
    const body = { id: 1, key: "my-key", overrides, ...MOVES[below(MOVES.length)] };
    const read = [readChannelChange, readChannelToAskAgain][below(2)] ?? readChannelChange;
    let sent = "";
    try {
      sent = JSON.stringify(read(body as Parameters<typeof readChannelChange>[0], KNOWN, STORED));
    } catch (failure) {
      expect((failure as Error).message).toMatch(/^channel-(?:headers-again|overrides-)/);
    }
    expect(sent).not.toContain("hunter2");
  });

  it("are written for the way alone that was read, and are none that come while it changes", () => {
    const way = { type: 8, baseUrl: "https://theirs.test", other: "", proxy: "" };
    const read = (body: object, stored = STORED) =>
      readChannelChange({ id: 1, ...body } as Parameters<typeof readChannelChange>[0], KNOWN, stored);
    expect(read({ overrides: '{"headers":{"x-own":"***"}}' }).ifRouteUnchanged).toEqual(way);
    expect(read({ key: "new-key" }).ifRouteUnchanged).toEqual(way);
    expect(read({ name: "n" })).not.toHaveProperty("ifRouteUnchanged");
    const open = readOverrides({ body: { set: { n: 2 } } });
    expect(read({ key: "my-key", baseUrl: "https://mine.test" }, open)).toMatchObject({
      requestChanges: open,
      ifRouteUnchanged: way,
    });
  });

  it("stay where the address does", () => {
    const overrides = '{"headers":{"x-own":"\\u002a**"}}';
    const change = readChannelChange(
      { id: 1, overrides } as Parameters<typeof readChannelChange>[0],
      KNOWN,
      STORED,
    );
    expect(change.requestChanges?.headers).toEqual({ "x-own": SECRET });
  });
});

describe("a day of buying prices that does not exist", () => {
  const dated = (from: string): string =>
    JSON.stringify({ rules: [{ model: "m", prices: [{ input: 2 }, { from, input: 1 }] }] });
  const save = (from: string, stored: string) =>
    readChannelChange(
      { id: 1, buyingPrices: dated(from) } as Parameters<typeof readChannelChange>[0],
      channelOf({ ...KNOWN, buyingPrices: stored }),
      STORED,
    );

  it("is refused, unless the stored prices have one from before", () => {
    expect(() => save("2026-02-30", dated("2026-02-28"))).toThrow("buying-prices-invalid");
    expect(() => save("2026-02-30", "")).toThrow("buying-prices-invalid");
    expect(save("2026-02-30", dated("2026-02-30"))).toMatchObject({ buyingPrices: dated("2026-02-30") });
    expect(save("2026-03-01", dated("2026-02-30"))).toMatchObject({ buyingPrices: dated("2026-03-01") });
  });
});
