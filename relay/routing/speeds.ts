/** Weight of each new measurement in the average. */
const SHARE = 0.2;
/** Lifetime of a measurement. */
const KEPT_MS = 10 * 60_000;
/** Keys of channels that are remembered; those that were exchanged leave theirs behind. */
const MAX_KEYS = 10_000;

/** The average of one key with one model, of streams or of whole answers. */
interface Speed {
  firstByteMs: number;
  atMs: number;
}

/** The measured speed of a key with one model. */
export interface MeasuredSpeed {
  readonly model: string;
  readonly isStream: boolean;
  /** Milliseconds. */
  readonly firstByteMs: number;
}

/**
 * Time to first byte per channel key and model: an exponentially weighted moving average of real traffic. Streams and
 * whole answers are separate, because a whole answer starts when it is complete. Kept in the memory of each process:
 * nodes measure independently.
 */
export class Speeds {
  private readonly streams = new Map<string, Map<string, Speed>>();
  private readonly wholes = new Map<string, Map<string, Speed>>();

  /** @param nowMs milliseconds since the epoch. */
  constructor(private readonly nowMs: () => number) {}

  /** A key has answered. @param firstByteMs since the request was sent. */
  measure(entryId: string, model: string, isStream: boolean, firstByteMs: number): void {
    const table = isStream ? this.streams : this.wholes;
    let models = table.get(entryId);
    if (!models) {
      if (table.size >= MAX_KEYS) table.clear();
      models = new Map();
      table.set(entryId, models);
    }
    const atMs = this.nowMs();
    const known = models.get(model);
    if (!known) models.set(model, { firstByteMs, atMs });
    else {
      const isOld = atMs - known.atMs > KEPT_MS;
      known.firstByteMs = isOld ? firstByteMs : known.firstByteMs + SHARE * (firstByteMs - known.firstByteMs);
      known.atMs = atMs;
    }
  }

  /** @returns milliseconds; undefined without recent measurements. */
  firstByteMs(entryId: string, model: string, isStream: boolean): number | undefined {
    const known = (isStream ? this.streams : this.wholes).get(entryId)?.get(model);
    return known && this.nowMs() - known.atMs <= KEPT_MS ? known.firstByteMs : undefined;
  }

  of(entryId: string): MeasuredSpeed[] {
    return [true, false].flatMap((isStream) =>
      [...((isStream ? this.streams : this.wholes).get(entryId)?.keys() ?? [])].flatMap((model) => {
        const firstByteMs = this.firstByteMs(entryId, model, isStream);
        return firstByteMs === undefined ? [] : [{ model, isStream, firstByteMs }];
      }),
    );
  }
}
