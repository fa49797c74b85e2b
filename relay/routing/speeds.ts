/** How much of each new measurement goes into the average. */
const SHARE = 0.2;
/** What was measured before that long says nothing any more. */
const KEPT_MS = 10 * 60_000;
/** Keys of channels that are remembered; those that were exchanged leave theirs behind. */
const MAX_KEYS = 10_000;

/** The average of one key with one model, of streams or of whole answers. */
interface Speed {
  firstByteMs: number;
  atMs: number;
}

/** What was measured of a key with one model. */
export interface MeasuredSpeed {
  readonly model: string;
  readonly isStream: boolean;
  /** Milliseconds. */
  readonly firstByteMs: number;
}

/**
 * How long channel keys take until the first byte of an answer, by model: an exponentially weighted moving average of real
 * traffic. Streams and whole answers are apart, because a whole answer begins when it is complete. In the memory of one process:
 * of several nodes each measures by itself.
 */
export class Speeds {
  private readonly streams = new Map<string, Map<string, Speed>>();
  private readonly wholes = new Map<string, Map<string, Speed>>();

  /** @param nowMs milliseconds since the epoch. */
  constructor(private readonly nowMs: () => number) {}

  /** A key has answered. @param firstByteMs from its being asked. */
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

  /** @returns milliseconds; undefined where nothing was measured lately. */
  firstByteMs(entryId: string, model: string, isStream: boolean): number | undefined {
    const known = (isStream ? this.streams : this.wholes).get(entryId)?.get(model);
    return known && this.nowMs() - known.atMs <= KEPT_MS ? known.firstByteMs : undefined;
  }

  /** What was measured of a key lately. */
  of(entryId: string): MeasuredSpeed[] {
    return [true, false].flatMap((isStream) =>
      [...((isStream ? this.streams : this.wholes).get(entryId)?.keys() ?? [])].flatMap((model) => {
        const firstByteMs = this.firstByteMs(entryId, model, isStream);
        return firstByteMs === undefined ? [] : [{ model, isStream, firstByteMs }];
      }),
    );
  }
}
