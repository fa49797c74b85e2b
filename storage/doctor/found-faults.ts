import type { DataFault } from "../errors";

/** How many faults of one kind are told: a million rows that are wrong in the same way are told by a few of them. */
export const MAX_SHOWN = 20;

/** Faults of an examination, limited in number. */
export class FoundFaults {
  private readonly byKind = new Map<DataFault["code"], { shown: DataFault[]; count: number }>();

  add(...faults: readonly DataFault[]): void {
    for (const fault of faults) {
      const kind = this.byKind.get(fault.code) ?? { shown: [], count: 0 };
      kind.count += 1;
      if (kind.shown.length < MAX_SHOWN) kind.shown.push(fault);
      this.byKind.set(fault.code, kind);
    }
  }

  /** The first ones of each kind, and how many of it are not among them. */
  all(): DataFault[] {
    return [...this.byKind].flatMap(([kind, { shown, count }]): DataFault[] =>
      count > shown.length ? [...shown, { code: "more-faults", kind, count: count - shown.length }] : shown,
    );
  }
}

/** How many faults these stand for. */
export const countFaults = (faults: readonly DataFault[]): number =>
  faults.reduce((sum, fault) => sum + (fault.code === "more-faults" ? fault.count : 1), 0);
