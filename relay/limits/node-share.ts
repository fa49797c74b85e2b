/** Which of the nodes that live this one is. */
export interface LivePlace {
  /** How many live, this one included. */
  readonly nodes: number;
  /** Its place among them, from 0, in an order that is the same for all. */
  readonly place: number;
}

/** What one node may use of a limit that it cannot count with the others: all shares together are the limit. */
export const nodeShare = (limit: number, { nodes, place }: LivePlace): number =>
  Math.floor(limit / nodes) + (place < limit % nodes ? 1 : 0);
