/** The rank of this node among the live ones. */
export interface LivePlace {
  /** Number of live nodes, including this one. */
  readonly nodes: number;
  /** Its rank, from 0, in an order that is the same on all nodes. */
  readonly place: number;
}

/** One node's share of a limit that it cannot count with the others: all shares add up to the limit. */
export const nodeShare = (limit: number, { nodes, place }: LivePlace): number =>
  Math.floor(limit / nodes) + (place < limit % nodes ? 1 : 0);
