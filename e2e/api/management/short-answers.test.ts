import { listKnownModels } from "@tollgate/contract/api/channel-upstream";
import { DECLARED_ENDPOINTS } from "@tollgate/testkit/declared-endpoints";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ManagementWorld, startManagementWorld } from "./management-world";

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld();
});

afterAll(() => world?.stop());

const READS = DECLARED_ENDPOINTS.filter(
  ({ method, path, isFile, changesState }) =>
    method === "GET" && !path.includes(":") && isFile !== true && changesState !== true,
);
const REPEATED = READS.filter(({ isRepeated }) => isRepeated);
/** Calls that ask others, or that change what the next of them answers. */
const SPECIAL = new Set(["/api/user/token", "/api/channel/test", "/api/channel/update_balance"]);
const OTHERS = READS.filter(({ path, isRepeated }) => isRepeated !== true && !SPECIAL.has(path));

const read = (path: string, headers: Record<string, string>) =>
  world.root.api("GET", path, undefined, { headers });

describe("an answer that is the same for long", () => {
  it("is the one of a few calls", () => expect(REPEATED.length).toBeGreaterThanOrEqual(7));

  it.each(REPEATED)(
    "of $path is sent once to a caller that keeps it, and again to one that has another",
    async ({ path }) => {
      const plain = await read(path, { "accept-encoding": "identity" });
      expect(plain.headers.get("content-encoding")).toBeNull();
      expect(plain.headers.get("cache-control")).toBe("private, no-cache");
      const etag = plain.headers.get("etag") ?? "";
      const again = await read(path, { "if-none-match": `W/"other", ${etag}` });
      expect([again.status, again.text]).toEqual([304, ""]);
      const other = await read(path, { "if-none-match": '"other"', "accept-encoding": "gzip" });
      expect(other.headers.get("etag")).toBe(etag);
      expect(other.text).toBe(plain.text);
    },
  );

  it("is not for a caller whose session has ended", async () => {
    const known = (await read(listKnownModels.path, {})).headers.get("etag") ?? "";
    const answer = await fetch(world.url + listKnownModels.path, { headers: { "if-none-match": known } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("etag")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});

describe("every other answer", () => {
  it.each(OTHERS)("of $path stands in no cache", async ({ path }) => {
    const answer = await read(path, {});
    const isKept = answer.headers.get("etag") !== null;
    expect(answer.headers.get("cache-control")).toBe(isKept ? "private, no-cache" : "no-store");
  });
});

describe("a long answer", () => {
  it("travels compressed: all known models in 15 KiB", async () => {
    const answer = await read(listKnownModels.path, { "accept-encoding": "gzip" });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(answer.text.length).toBeGreaterThan(100_000);
    expect(Number(answer.headers.get("content-length"))).toBeLessThan(15 * 1024);
  });

  it("travels as it is to a page of another site, which could learn of secrets by its length", async () => {
    const answer = await read(listKnownModels.path, {
      "accept-encoding": "gzip",
      "sec-fetch-site": "cross-site",
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-encoding")).toBeNull();
    expect(Number(answer.headers.get("content-length"))).toBe(Buffer.byteLength(answer.text));
  });
});
