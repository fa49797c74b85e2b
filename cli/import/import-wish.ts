import type { OwnData } from "@tollgate/storage/load/folder-target";
import type { Load } from "@tollgate/storage/load/open-load";
import type { PlanDecisions } from "./map-plans";
import type { MissingPriceDecision, PriceDecision } from "./mapped";
import type { Sources } from "./read-source";
import type { SourceTable } from "./source-rows";

/** Where an import writes. */
export interface ImportTarget {
  /** For people. */
  name: string;
  /** Changes nothing. @returns the existing data; undefined when the target may be written. */
  examine(): Promise<OwnData | undefined>;
  /**
   * Takes everything that `fill` writes, or nothing.
   * @returns the existing data: then nothing was changed.
   */
  apply(fill: (load: Load) => Promise<void>): Promise<OwnData | undefined>;
}

export interface ImportWish {
  sources: Sources;
  target: ImportTarget;
  /** False for a dry run. */
  isApplied: boolean;
  plans: PlanDecisions;
  /** The running source's answer about its prices, if the operator saved it. */
  pricing: string | undefined;
  priceDecision: PriceDecision | undefined;
  missingPrices: MissingPriceDecision | undefined;
  /** Unix seconds. */
  now: number;
  /** Told how far it is. */
  onRead(table: SourceTable, rows: number): void;
}
