/** Maximum number of cached views. One with 2,000 models takes a megabyte. */
const MAX_KEPT = 32;
/** Content may change with time alone: a price by its date, figures with each request. */
const KEPT_MS = 60_000;

/** Events that invalidate the cache. */
interface Changing {
  accounts: { changes: { subscribe(listener: (change: { readonly of: string }) => void): unknown } };
  options: { onChange(listener: () => void): unknown };
  /** Unix seconds. */
  now(): number;
}

interface Kept<View> {
  readonly view: Promise<View>;
  readonly madeAtMs: number;
}

/** Caches content about all models that is slow to make, per kind of reader, until channels or options change. */
export class KeptViews<View> {
  private kept = new Map<string, Kept<View>>();

  constructor(private readonly services: Changing) {
    services.accounts.changes.subscribe(({ of }) => {
      if (of === "channel") this.kept = new Map();
    });
    services.options.onChange(() => {
      this.kept = new Map();
    });
  }

  /** @param reader callers with the same see the same. */
  of(reader: string, make: () => Promise<View>): Promise<View> {
    const nowMs = this.services.now() * 1000;
    const known = this.kept.get(reader);
    if (known && nowMs - known.madeAtMs < KEPT_MS) return known.view;
    const { kept } = this;
    const made = { view: make(), madeAtMs: nowMs };
    kept.delete(reader);
    kept.set(reader, made);
    made.view.catch(() => {
      if (kept.get(reader) === made) kept.delete(reader);
    });
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
    }
    return made.view;
  }
}
