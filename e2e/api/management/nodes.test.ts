import { PRODUCT_VERSION } from "@tollgate/contract/version";
import { afterAll, beforeAll, expect, it } from "vitest";
import { succeed } from "./client";
import { type ManagementWorld, startManagementWorld } from "./management-world";

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld({ NODE_NAME: "the-only-one" });
});

afterAll(() => world?.stop());

it("one process with its data in files tells root of itself, and of nothing that it does not have", async () => {
  const before = Math.floor(Date.now() / 1000);
  const nodes = (await succeed(world.root.api("GET", "/api/node"))) as Record<string, unknown>[];
  expect(nodes).toHaveLength(1);
  const { started_at, heard_at, memory_bytes, event_loop_delay_ms, recent_ms, ...node } = nodes[0] ?? {};
  expect(node).toEqual({
    name: "the-only-one",
    address: new URL(world.url).host,
    version: PRODUCT_VERSION,
    state: "live",
    is_this: true,
    is_leaving: false,
    recent_requests: 0,
    active_requests: 0,
    silent_ms: 0,
  });
  expect(started_at).toBeGreaterThan(before - 120);
  expect(heard_at).toBeGreaterThanOrEqual(before);
  expect(memory_bytes).toBeGreaterThan(1e7);
  for (const figure of [started_at, heard_at, memory_bytes, event_loop_delay_ms, recent_ms])
    expect(Number.isSafeInteger(figure)).toBe(true);
});
