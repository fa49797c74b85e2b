import { listNodes, type Node } from "@tollgate/contract/api/nodes";
import { PRODUCT_VERSION } from "@tollgate/contract/version";
import { afterAll, beforeAll, expect, it } from "vitest";
import { succeed } from "./client";
import { type ManagementWorld, startManagementWorld } from "./management-world";

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld({ NODE_NAME: "the-only-one" });
});

afterAll(() => world?.stop());

/** What a node has that shares a database, and no other. */
const SHARED = [
  "id",
  "leased_users",
  "leased_keys",
  "leased_quota",
  "database_connections",
  "database_waiting",
] as const;

it("one process reports itself to root, and omits the fields of parts that it does not run", async () => {
  const before = Math.floor(Date.now() / 1000);
  const nodes = (await succeed(world.root.api("GET", "/api/node"))) as Node[];
  expect(nodes).toHaveLength(1);
  const [node] = listNodes.data?.read(nodes) ?? [];
  expect(nodes[0]).toEqual(node);
  expect(node).toMatchObject({
    name: "the-only-one",
    address: new URL(world.url).host,
    version: PRODUCT_VERSION,
    state: "live",
    is_this: true,
    is_leaving: false,
    recent_requests: 0,
    active_requests: 0,
  });
  expect(node?.started_at).toBeGreaterThan(before - 120);
  expect(node?.heard_at).toBeGreaterThan(before - 10);
  expect(node?.silent_ms).toBeLessThan(10_000);
  expect(node?.memory_bytes).toBeGreaterThan(1e7);
  // With its data in files it has none of them.
  const told = SHARED.filter((name) => node?.[name] !== undefined);
  expect([[], SHARED]).toContainEqual(told);
  expect(node?.redis_connections).toBeUndefined();
});
