import type { PriceDraftState } from "../management/price-draft";

/** A draft of prices as it is stored; times are unix seconds. */
export interface PriceDraftRecord {
  id: number;
  name: string;
  authorId: number;
  author: string;
  createdAt: number;
  changedAt: number;
  /** Grows with each change. */
  revision: number;
  state: PriceDraftState;
  /** 0 for none. */
  holdsFrom: number;
  /** Why it was not published at its time: a code; "" where nothing was in the way. */
  fault: string;
  /** JSON of the changes, and of the values before. */
  changes: string;
  base: string;
}

export type NewPriceDraftRecord = Pick<
  PriceDraftRecord,
  "name" | "authorId" | "author" | "createdAt" | "changes" | "base"
>;

/** A rehearsal as it is stored. */
export interface RehearsalRecord {
  state: string;
  /** When it last said how far it is. */
  seenAt: number;
  /** JSON. */
  text: string;
}

/** An option that is published with a draft. */
export interface PublishedOption {
  key: string;
  value: string;
  /** Its value as the publisher knows it: if it is another one by now, nothing is published. */
  before: string;
  /** The option's default, should it never have been saved. */
  fallback: string;
}
