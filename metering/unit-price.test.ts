import type { Units } from "@tollgate/contract/relay/operation";
import type { LogPhrase } from "@tollgate/contract/values/log-phrase";
import { describe, expect, it } from "vitest";
import { findPrice } from "./price";
import { parseRatioTable } from "./ratio-table";
import { explainUnits, priceUnits } from "./unit-price";

const MODELS = parseRatioTable(
  '{"dall-e-2":8,"dall-e-3":20,"tts-1":7.5,"whisper-1":15,"gpt-image-1":2.5,"rerank-v3.5":1,"cogview-4":15,"nothing":0}',
)!;
const GROUPS = parseRatioTable('{"default":1,"half":0.5,"third":0.3333}')!;
const quota = (model: string, units: Units, group = "default") =>
  priceUnits(findPrice({ modelRatios: MODELS, groupRatios: GROUPS }, model, group, 0)!, units);
const images = (count: number, size: string, quality = ""): Units => ({
  kind: "images",
  count,
  size,
  quality,
});

describe("images", () => {
  it.each([
    // The contract's own examples (section 2.9).
    ["dall-e-2", images(1, "1024x1024"), 10_000],
    ["dall-e-3", images(1, "1792x1024", "hd"), 60_000],
    ["dall-e-2", images(1, "256x256"), 8_000],
    ["dall-e-2", images(3, "512x512"), 27_000],
    ["dall-e-3", images(1, "1024x1024"), 20_000],
    ["dall-e-3", images(1, "1024x1024", "hd"), 40_000],
    ["dall-e-3", images(1, "1024x1792", "standard"), 40_000],
    // 1056 output tokens × 8 × 2.5
    ["gpt-image-1", images(1, "1024x1024", "medium"), 21_120],
    ["gpt-image-1", images(1, "auto", "auto"), 124_800],
    ["cogview-4", images(2, "864x1152"), 30_000],
    ["nothing", images(2, "1024x1024"), 0],
    ["dall-e-2", images(0, "1024x1024"), 0],
  ])("%s %o costs %i", (model, units, expected) => {
    expect(quota(model, units)).toBe(expected);
  });

  it("of a gpt-image model cost the listed price of a picture's token", () => {
    const book = {
      modelRatios: parseRatioTable('{"gpt-image-1-mini":1}')!,
      groupRatios: GROUPS,
      findListPrice: (name: string) => ({ name, entries: [{ input: 2, output: 8 }] }),
    };
    const price = findPrice(book, "gpt-image-1-mini", "default", 0)!;
    expect(priceUnits(price, images(1, "1024x1024", "medium"))).toBe(1056 * 4);
    expect(explainUnits(price, images(1, "1024x1024", "medium"))).toEqual({
      code: "sized-images",
      count: 1,
      size: "1024x1024 medium",
      ratio: "4.224",
    });
  });

  it("are each rounded down, as the contract does, before they are counted", () => {
    // 8 × 0.3333 × 1.25 × 1000 = 3333 per image
    expect(quota("dall-e-2", images(3, "1024x1024"), "third")).toBe(9999);
  });
});

describe("speech", () => {
  it.each([
    // The contract's own example (section 2.10).
    [11, 82],
    [1, 7],
    [0, 0],
    [4096, 30_720],
  ])("of %i characters of tts-1 costs %i", (count, expected) => {
    expect(quota("tts-1", { kind: "characters", count })).toBe(expected);
  });

  it("that costs anything costs at least 1", () => {
    const table = parseRatioTable('{"tiny":0.01}')!;
    const price = findPrice({ modelRatios: table, groupRatios: GROUPS }, "tiny", "default", 0)!;
    expect(priceUnits(price, { kind: "characters", count: 3 })).toBe(1);
  });
});

describe("an image that is not the one that was asked for", () => {
  it.each([
    ["1024x1024", "low", "1024x1536", "high", "low"],
    ["1024x1024", "high", "1024x1024", "low", "low"],
    ["auto", "auto", "1024x1024", "low", "low"],
    ["", "", "", "", ""],
  ])("(%s %s, came %s %s) costs the cheaper of both", (size, quality, came, cameQuality, charged) => {
    const all = images(1, came, cameQuality);
    const expected = images(1, charged === "" ? "" : "1024x1024", charged);
    expect(quota("gpt-image-1", { ...all, asked: { size, quality } } as Units)).toBe(
      quota("gpt-image-1", expected),
    );
  });
});

describe("a price per call", () => {
  const modelPrices = new Map([["painter", [{ perCall: 0.04 }]]]);
  const price = findPrice({ modelRatios: MODELS, groupRatios: GROUPS, modelPrices }, "painter", "half", 0)!;

  it("is one per image, whatever its size, and one for anything else", () => {
    expect(priceUnits(price, images(3, "1792x1024", "hd"))).toBe(30_000);
    expect(priceUnits(price, { kind: "seconds", count: 90 })).toBe(10_000);
    expect(priceUnits(price, images(0, ""))).toBe(0);
  });
});

describe("recordings", () => {
  it.each([
    // 0.006 USD a minute at 500,000 quota points a dollar.
    [60, "default", 3000],
    [60, "half", 1500],
    [1, "default", 50],
    [3600, "default", 180_000],
  ])("of %i seconds cost group %s %s", (count, group, expected) => {
    expect(quota("whisper-1", { kind: "seconds", count }, group)).toBe(expected);
  });
});

it("a search costs a thousand tokens", () => {
  expect(quota("rerank-v3.5", { kind: "searches", count: 2 })).toBe(2000);
});

describe("explainUnits", () => {
  it.each<[string, Units, LogPhrase]>([
    [
      "dall-e-3",
      images(2, "1792x1024", "hd"),
      { code: "sized-images", count: 2, size: "1792x1024 hd", ratio: "3.00" },
    ],
    ["cogview-4", images(1, ""), { code: "images", count: 1, ratio: "1.00" }],
    ["tts-1", { kind: "characters", count: 11 }, { code: "speech", characters: 11 }],
    ["whisper-1", { kind: "seconds", count: 61 }, { code: "recording", seconds: 61 }],
    ["rerank-v3.5", { kind: "searches", count: 1 }, { code: "searches", count: 1 }],
  ])("says of %s %o: %o", (model, units, expected) => {
    const price = findPrice({ modelRatios: MODELS, groupRatios: GROUPS }, model, "default", 0)!;
    expect(explainUnits(price, units)).toEqual(expected);
  });
});
