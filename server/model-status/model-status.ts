import {
  LEAST_STATUS_REQUESTS,
  type ModelStatus,
  type ModelStatusWire,
  type StatusPeriod,
  type StatusShare,
} from "@tollgate/contract/api/model-status";
import type { HealthQueries, ModelHealth } from "@tollgate/storage/log/ports";

const HOUR = 3600;
const DAY = 86_400;
const HOURS = 24;
const DAYS = 30;
const WEEK_DAYS = 7;

/** Cache time of the figures. */
const KEPT_MS = 60_000;

type Figures = Pick<ModelHealth, "requests" | "faults" | "firstByteMs" | "streams">;

/** The figures of one model: of each of the last hours and days, the oldest first. */
interface Served {
  hours: Figures[];
  days: Figures[];
}

const nothing = (): Figures => ({ requests: 0, faults: 0, firstByteMs: 0, streams: 0 });

const add = (sum: Figures, more: Figures): void => {
  sum.requests += more.requests;
  sum.faults += more.faults;
  sum.firstByteMs += more.firstByteMs;
  sum.streams += more.streams;
};

const total = (parts: readonly Figures[]): Figures => {
  const sum = nothing();
  for (const part of parts) add(sum, part);
  return sum;
};

/** To a thousandth, and never all where one was missing, nor none where one was there; null without a request. */
const shareOf = ({ requests, faults }: Figures): StatusShare | null => {
  const all = requests + faults;
  if (all === 0) return null;
  if (all < LEAST_STATUS_REQUESTS) return "few";
  if (faults === 0 || requests === 0) return faults === 0 ? 1 : 0;
  return Math.min(0.999, Math.max(0.001, Math.round((requests / all) * 1000) / 1000));
};

const periodOf = (parts: readonly Figures[]): StatusPeriod => {
  const sum = total(parts);
  const success = shareOf(sum);
  return {
    ...(success === null ? {} : { success }),
    ...(sum.streams < LEAST_STATUS_REQUESTS
      ? {}
      : { first_byte_ms: Math.round(sum.firstByteMs / sum.streams) }),
  };
};

const statusOf = (model: string, { hours, days }: Served): ModelStatus => ({
  model,
  day: periodOf(hours),
  week: periodOf(days.slice(-WEEK_DAYS)),
  month: periodOf(days),
  hours: hours.map(shareOf),
  days: days.map(shareOf),
});

/** Models by the name that clients request, with the names at their upstreams. */
export type OfferedModels = ReadonlyMap<string, ReadonlySet<string>>;

export interface ModelStatusTools {
  health: Pick<HealthQueries, "ofModels">;
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Yields to other waiting work. */
  yieldToOthers(): Promise<void>;
}

/** Models between two turns of others: each takes some hundredths of a millisecond. */
const MODELS_A_TURN = 50;

/** Service of models, from the sums of the log, which are queried at most once a minute. */
export class ModelStatuses {
  private kept:
    | { readonly madeAtMs: number; readonly served: Promise<ReadonlyMap<string, Served>> }
    | undefined;

  constructor(private readonly tools: ModelStatusTools) {}

  /** @param offered the models to report. @returns them by name. */
  async of(offered: OfferedModels): Promise<ModelStatusWire> {
    const nowMs = this.tools.nowMs();
    if (!this.kept || nowMs - this.kept.madeAtMs >= KEPT_MS) {
      const made = { madeAtMs: nowMs, served: this.read(nowMs) };
      this.kept = made;
      made.served.catch(() => {
        if (this.kept === made) this.kept = undefined;
      });
    }
    const { served, madeAtMs } = this.kept;
    const known = await served;
    const models: ModelStatus[] = [];
    for (const [model, upstreams] of offered) {
      if (models.length % MODELS_A_TURN === MODELS_A_TURN - 1) await this.tools.yieldToOthers();
      const parts = [...upstreams].flatMap((name) => known.get(name) ?? []);
      const sum: Served = {
        hours: Array.from({ length: HOURS }, (_, at) => total(parts.flatMap(({ hours }) => hours[at] ?? []))),
        days: Array.from({ length: DAYS }, (_, at) => total(parts.flatMap(({ days }) => days[at] ?? []))),
      };
      models.push(statusOf(model, sum));
    }
    models.sort((a, b) => (a.model < b.model ? -1 : 1));
    return { updated_at: Math.floor(madeAtMs / 1000), models };
  }

  private async read(nowMs: number): Promise<ReadonlyMap<string, Served>> {
    const now = Math.floor(nowMs / 1000);
    const firstHour = now - (now % HOUR) - (HOURS - 1) * HOUR;
    const firstDay = now - (now % DAY) - (DAYS - 1) * DAY;
    const { health } = this.tools;
    const [hours, days] = await Promise.all([
      health.ofModels(firstHour, HOUR),
      health.ofModels(firstDay, DAY),
    ]);
    const served = new Map<string, Served>();
    const servedOf = (model: string): Served => {
      let slots = served.get(model);
      if (!slots) {
        slots = {
          hours: Array.from({ length: HOURS }, nothing),
          days: Array.from({ length: DAYS }, nothing),
        };
        served.set(model, slots);
      }
      return slots;
    };
    const put = (rows: readonly ModelHealth[], first: number, step: number, of: keyof Served): void => {
      for (const row of rows) {
        const slot = servedOf(row.model)[of][(row.time - first) / step];
        if (slot) add(slot, row);
      }
    };
    put(hours, firstHour, HOUR, "hours");
    put(days, firstDay, DAY, "days");
    return served;
  }
}
