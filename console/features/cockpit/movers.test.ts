import type { UsagePoint } from "@tollgate/contract/api/usage";
import { expect, it } from "vitest";
import { findFailing, findMovers } from "./movers";

const used = (key: string, quota: number, others?: number, errors = 0): UsagePoint => ({
  time: 0,
  key,
  name: `name of ${key}`,
  requests: 1,
  errors,
  promptTokens: 0,
  completionTokens: 0,
  quota,
  durationMs: 0,
  firstByteMs: 0,
  streams: 0,
  others,
});

it("names the largest changes first, up or down, without unchanged entries and the sum of the others", () => {
  const now = [used("a", 10), used("a", 20), used("b", 5), used("c", 7), used("", 1000, 3)];
  const before = [used("a", 10), used("c", 7), used("d", 100)];
  expect(findMovers(now, before, 3)).toEqual([
    { key: "d", name: "name of d", now: 0, before: 100 },
    { key: "a", name: "name of a", now: 30, before: 10 },
    { key: "b", name: "name of b", now: 5, before: 0 },
  ]);
  expect(findMovers(now, before, 1)).toHaveLength(1);
});

it("names those with the most failed requests now, with their failures before", () => {
  const failed = (key: string, errors: number, others?: number) => used(key, 0, others, errors);
  const now = [failed("a", 2), failed("a", 3), failed("b", 5), failed("c", 0), failed("", 100, 3)];
  const before = [failed("a", 4), failed("c", 9)];
  expect(findFailing(now, before, 3)).toEqual([
    { key: "b", name: "name of b", now: 5, before: 0 },
    { key: "a", name: "name of a", now: 5, before: 4 },
  ]);
});
