import type { NodeReport } from "@tollgate/contract/api/nodes";
import { ADMIT_FOR_MS } from "@tollgate/metering/leases/liveness";
import type { NodeRow } from "@tollgate/storage/accounts/node-ports";
import { expect, it } from "vitest";
import { oneNode, sharedNodes } from "./known-nodes";

const OWN: NodeReport = { name: "own", recent_requests: 5 };

const row = (epoch: number, more: Partial<NodeRow> = {}): NodeRow => ({
  epoch,
  about: { name: `told ${epoch}` },
  heardAt: 1_800_000_000,
  silentMs: 900,
  leasedUsers: 2,
  leasedKeys: 1,
  leasedQuota: 130,
  ...more,
});

const shared = (rows: NodeRow[], epoch: number | undefined) =>
  sharedNodes(
    { all: async () => rows },
    () => OWN,
    () => epoch,
  ).all();

it("the only node is the one that answers, and leases nothing", async () => {
  const nodes = await oneNode(
    () => OWN,
    () => 1_800_000_000,
  ).all();
  expect(nodes).toEqual([{ ...OWN, state: "live", is_this: true, heard_at: 1_800_000_000, silent_ms: 0 }]);
});

it("of several the one that answers reports its present state, the others their last one", async () => {
  const [other, own] = await shared([row(3), row(7)], 7);
  expect(other).toMatchObject({ id: 3, name: "told 3", is_this: false, leased_users: 2, leased_quota: 130 });
  expect(own).toMatchObject({ id: 7, name: "own", recent_requests: 5, is_this: true, silent_ms: 900 });
});

it.each([
  [{ is_leaving: false }, ADMIT_FOR_MS, "live"],
  [{}, 0, "live"],
  [{ is_leaving: true }, ADMIT_FOR_MS, "leaving"],
  [{}, ADMIT_FOR_MS + 1, "silent"],
  [{ is_leaving: true }, ADMIT_FOR_MS + 1, "silent"],
])("a node that told %j and was silent for %i ms is %s", async (about, silentMs, state) => {
  const [node] = await shared([row(3, { about, silentMs })], undefined);
  expect(node?.state).toBe(state);
});

it.each([undefined, 9])(
  "says that the one that answers admits nothing while it has no row (epoch %s)",
  async (epoch) => {
    const nodes = await shared([row(3)], epoch);
    expect(nodes.map(({ is_this: isThis, state }) => ({ isThis, state }))).toEqual([
      { isThis: false, state: "live" },
      { isThis: true, state: "silent" },
    ]);
  },
);
