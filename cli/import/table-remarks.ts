import type { Remark, RemarkCode, RemarkEffect, RemarkValues } from "./remarks";
import type { SourceTable } from "./source-rows";

/** How many rows of which the same is said are kept one by one; the others are counted. */
const KEPT = 10_000;

/** Rows of which the same is said. */
export interface ReportedRemark {
  effect: RemarkEffect;
  code: RemarkCode;
  /** Number of rows; `rows` has the ids of the first ones, and the values of the text. */
  count: number;
  rows: readonly { id: number | string; values: RemarkValues }[];
}

interface Gathered extends ReportedRemark {
  rows: { id: number | string; values: RemarkValues }[];
}

/** Gathers the remarks on the rows of one table. */
export class TableRemarks {
  private readonly gathered = new Map<string, Gathered>();
  private readonly changedIds = new Set<number | string>();

  constructor(readonly table: SourceTable) {}

  add(effect: RemarkEffect, code: RemarkCode, id: number | string, values: RemarkValues = {}): void {
    // Rows are told apart by the column as well, so that a column in every row hides no other one.
    const key = `${effect} ${code} ${code === "column-left" ? values.column : ""}`;
    const known = this.gathered.get(key) ?? { effect, code, count: 0, rows: [] };
    this.gathered.set(key, known);
    known.count += 1;
    if (known.rows.length < KEPT) known.rows.push({ id, values });
    if (effect === "changed" && this.changedIds.size < KEPT) this.changedIds.add(id);
  }

  /** Adds remarks made elsewhere. */
  addAll(remarks: readonly Remark[]): void {
    for (const { effect, code, id, values } of remarks) this.add(effect, code, id, values);
  }

  /** Rows that were changed: each once, as far as they are kept one by one. */
  get changed(): number {
    if (this.changedIds.size < KEPT) return this.changedIds.size;
    let most = this.changedIds.size;
    for (const { effect, count } of this.gathered.values())
      if (effect === "changed") most = Math.max(most, count);
    return most;
  }

  /** How often something was left out. */
  get leftOut(): number {
    let sum = 0;
    for (const { effect, count } of this.gathered.values()) if (effect === "left-out") sum += count;
    return sum;
  }

  all(): readonly ReportedRemark[] {
    return [...this.gathered.values()];
  }
}
