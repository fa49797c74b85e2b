import type { Node, NodeReport, NodeState } from "@tollgate/contract/api/nodes";
import { ADMIT_FOR_MS } from "@tollgate/metering/leases/liveness";
import type { NodeQueries } from "@tollgate/storage/accounts/node-ports";

/** The nodes of this installation, for people. */
export interface KnownNodes {
  /** In the order in which they joined. */
  all(): Promise<Node[]>;
}

/** A node silent for longer than its permission to admit admits nothing, whatever it reported. */
const stateOf = ({ is_leaving: isLeaving }: NodeReport, silentMs: number): NodeState => {
  if (silentMs > ADMIT_FOR_MS) return "silent";
  return isLeaving ? "leaving" : "live";
};

/** The only node. @param now unix seconds. */
export const oneNode = (report: () => NodeReport, now: () => number): KnownNodes => ({
  async all() {
    const about = report();
    return [{ ...about, state: stateOf(about, 0), is_this: true, heard_at: now(), silent_ms: 0 }];
  },
});

/**
 * The nodes that share a database. Nodes without a row are omitted, except the answering one.
 * @param report this node's own report. @param epoch its own; undefined while it has none.
 */
export const sharedNodes = (
  nodes: NodeQueries,
  report: () => NodeReport,
  epoch: () => number | undefined,
): KnownNodes => ({
  async all() {
    const rows = await nodes.all();
    const own = epoch();
    const known = rows.map((row): Node => {
      const isThis = row.epoch === own;
      // This node's stored report may be two seconds old.
      const about = isThis ? report() : row.about;
      return {
        ...about,
        id: row.epoch,
        state: stateOf(about, row.silentMs),
        is_this: isThis,
        heard_at: row.heardAt,
        silent_ms: row.silentMs,
        leased_users: row.leasedUsers,
        leased_keys: row.leasedKeys,
        leased_quota: row.leasedQuota,
      };
    });
    if (known.some(({ is_this: isThis }) => isThis)) return known;
    return [...known, { ...report(), state: "silent", is_this: true }];
  },
});
