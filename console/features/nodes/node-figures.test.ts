// @vitest-environment happy-dom

import type { Node } from "@tollgate/contract/api/nodes";
import { beforeAll, expect, it } from "vitest";
import { startLanguage } from "../../lib/i18n";
import {
  formatAgo,
  formatMemory,
  formatRate,
  leaseCount,
  requestRate,
  shown,
  sinceStart,
  sumOf,
} from "./node-figures";

beforeAll(startLanguage);

const node = (more: Partial<Node> = {}): Node => ({ state: "live", is_this: false, ...more });

it("does not show a missing figure as 0", () => {
  expect(shown(undefined)).toBe("–");
  expect(shown(0)).toBe("0");
  expect(requestRate(node({ recent_ms: 10_000 }))).toBeUndefined();
  expect(requestRate(node({ recent_requests: 0, recent_ms: 0 }))).toBeUndefined();
  expect(requestRate(node({ recent_requests: 0, recent_ms: 1000 }))).toBe(0);
  expect(leaseCount(node())).toBeUndefined();
  expect(leaseCount(node({ leased_users: 0, leased_keys: 0 }))).toBe(0);
  expect(sumOf([node(), node()], requestRate)).toBeUndefined();
  expect(
    sumOf([node({ memory_bytes: 5 }), node(), node({ memory_bytes: 7 })], (each) => each.memory_bytes),
  ).toBe(12);
  expect(sinceStart(node({ started_at: 5 }))).toBeUndefined();
});

it.each([
  [0, "0/s"],
  [0.04, "0.0/s"],
  [2.44, "2.4/s"],
  [99.94, "99.9/s"],
  [99.96, "100/s"],
  [128.4, "128/s"],
])("writes a rate of %d as %s", (rate, text) => {
  expect(formatRate(rate)).toBe(text);
});

it.each([
  [182.4 * 1024 ** 2, "182 MiB"],
  [1.44 * 1024 ** 3, "1.4 GiB"],
])("writes %d bytes as %s", (bytes, text) => {
  expect(formatMemory(bytes)).toBe(text);
});

it.each([
  [-50, "现在"],
  [400, "现在"],
  [7400, "7秒前"],
  [59_600, "1分钟前"],
  [2 * 3_600_000 + 3_500_000, "2小时前"],
  [26 * 3_600_000, "1天前"],
])("says that %d ms ago is %s", (elapsed, text) => {
  expect(formatAgo(elapsed)).toBe(text);
});

it("tells how long a node runs by the clock that it was heard of by", () => {
  expect(sinceStart(node({ started_at: 1000, heard_at: 1060, silent_ms: 900 }))).toBe(60_900);
});
