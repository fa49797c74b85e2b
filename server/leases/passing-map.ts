/** So many entries come into one table; the next gets a new one. */
const ENTRIES = 256;

/**
 * A map for entries that come and go with every request, in insertion order. JavaScript's own Map and Set then replace
 * their table again and again, and each old table keeps its successor, and so the requests of that time, alive until
 * the next full garbage collection: here a chain of tables ends after a few hundred entries.
 */
export class PassingMap<Key, Value> {
  /** The oldest first; only the last one takes entries, and only the last one may be empty. */
  private readonly tables: Map<Key, Value>[] = [new Map()];
  /** Number of entries added to the last table. */
  private taken = 0;

  get size(): number {
    return this.tables.reduce((sum, { size }) => sum + size, 0);
  }

  get(key: Key): Value | undefined {
    for (const table of this.tables) {
      const value = table.get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** @param key one that is not in it. */
  set(key: Key, value: Value): void {
    let last = this.tables.at(-1);
    if (last === undefined || this.taken >= ENTRIES) {
      if (last?.size === 0) this.tables.pop();
      last = new Map();
      this.tables.push(last);
      this.taken = 0;
    }
    last.set(key, value);
    this.taken += 1;
  }

  /** @returns whether it was there. */
  delete(key: Key): boolean {
    for (const [index, table] of this.tables.entries()) {
      if (!table.delete(key)) continue;
      if (table.size === 0 && index < this.tables.length - 1) this.tables.splice(index, 1);
      return true;
    }
    return false;
  }

  /** The oldest first; entries may go meanwhile. */
  *values(): Generator<Value> {
    for (const table of [...this.tables]) yield* table.values();
  }

  /** The oldest entry; undefined when empty. */
  first(): Value | undefined {
    for (const table of this.tables) for (const value of table.values()) return value;
    return undefined;
  }
}
