import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { compressAnswer, hasAnswer, tagOf, takesGzip } from "./shorten-answer";

describe("a caller", () => {
  it.each([
    ["gzip, deflate, br, zstd", true],
    ["br;q=1.0, GZIP;q=0.8, *;q=0.1", true],
    ["x-gzip", true],
    ["gzip;q=0.001", true],
    ["gzip;q=0", false],
    ["gzip; q=0.00, br", false],
    ["br", false],
    ["gzipped", false],
    ["", false],
    [undefined, false],
  ])("that accepts %s takes gzip: %s", (accepted, isTaken) => {
    expect(takesGzip({ "accept-encoding": accepted })).toBe(isTaken);
  });

  it.each([
    ["same-origin", true],
    ["same-site", true],
    ["none", true],
    ["cross-site", false],
  ])("whose page is %s takes gzip: %s", (site, isTaken) => {
    expect(takesGzip({ "accept-encoding": "gzip", "sec-fetch-site": site })).toBe(isTaken);
  });

  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ["*", true],
    ['"b"', false],
    ["a", false],
    ["", false],
    [undefined, false],
  ])("that knows %s has the answer: %s", (known, isKnown) => {
    expect(hasAnswer({ "if-none-match": known }, '"a"')).toBe(isKnown);
  });
});

describe("an answer", () => {
  const headers = { "accept-encoding": "gzip" };

  it("is compressed from a kilobyte on, and the same after it", async () => {
    const text = "渠道 ".repeat(2000);
    const zipped = await compressAnswer(headers, text);
    expect(zipped?.length).toBeLessThan(200);
    expect(gunzipSync(zipped ?? "").toString()).toBe(text);
    expect(await compressAnswer(headers, "x".repeat(1023))).toBeUndefined();
    expect(await compressAnswer({}, text)).toBeUndefined();
  });

  it("has a tag that only its content changes", () => {
    expect(tagOf("a")).toMatch(/^"[\w-]{22}"$/);
    expect(tagOf("a")).toBe(tagOf("a"));
    expect(tagOf("a")).not.toBe(tagOf("b"));
  });
});
