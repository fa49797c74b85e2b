/** The rank of this node among the live ones. */
export interface NodeRank {
  /** Number of live nodes, including this one. */
  readonly nodes: number;
  /** Its rank, from 0, in an order that is the same on all nodes. */
  readonly rank: number;
}

/** One node's share of a limit that it cannot count with the others: all shares add up to the limit. */
export const nodeShare = (limit: number, { nodes, rank }: NodeRank): number =>
  Math.floor(limit / nodes) + (rank < limit % nodes ? 1 : 0);
