import type { Connection } from "../dialects/sqlite";
import { dayOf, hourOf } from "./hours";

/** The columns that the sums have in common, in the order of the tables. */
export const SUM_COLUMNS = [
  "lines",
  "requests",
  "errors",
  "prompt_tokens",
  "completion_tokens",
  "quota",
  "duration_ms",
  "first_byte_ms",
  "streams",
] as const;

/** What one entry adds to the sums. */
export type Summands = Record<(typeof SUM_COLUMNS)[number], number>;

interface Sum extends Summands {
  hour: number;
  payerId: number;
  modelId: number;
  channelId: number;
}

const addTo = (sums: Map<string, Sum>, key: string, from: Sum): void => {
  const sum = sums.get(key);
  if (!sum) {
    sums.set(key, { ...from });
    return;
  }
  for (const column of SUM_COLUMNS) sum[column] += from[column];
};

/** Gathers what many entries add to the sums, so that each row is written once. */
export class UsageSums {
  private payerHours = new Map<string, Sum>();
  private contentHours = new Map<string, { contentId: number; hour: number; lines: number }>();
  private readonly writePayerHour;
  private readonly writeSiteHour;
  private readonly writeContentHour;

  constructor(connection: Connection) {
    const columns = SUM_COLUMNS.join(", ");
    const places = SUM_COLUMNS.map(() => "?").join(", ");
    const additions = SUM_COLUMNS.map((column) => `${column} = ${column} + excluded.${column}`).join(", ");
    this.writePayerHour = connection.prepare(
      `INSERT INTO payer_hours (day, payer_id, hour, model_id, channel_id, ${columns})
       VALUES (?, ?, ?, ?, ?, ${places}) ON CONFLICT DO UPDATE SET ${additions}`,
    );
    this.writeSiteHour = connection.prepare(
      `INSERT INTO site_hours (hour, model_id, channel_id, ${columns})
       VALUES (?, ?, ?, ${places}) ON CONFLICT DO UPDATE SET ${additions}`,
    );
    this.writeContentHour = connection.prepare(
      `INSERT INTO content_hours (content_id, hour, lines) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET lines = lines + excluded.lines`,
    );
  }

  /** @param createdAt unix seconds. @param contentId 0 for what has no line. */
  add(
    createdAt: number,
    payerId: number,
    modelId: number,
    channelId: number,
    contentId: number,
    summands: Summands,
  ): void {
    const hour = hourOf(createdAt);
    const sum = { hour, payerId, modelId, channelId, ...summands };
    addTo(this.payerHours, `${hour} ${payerId} ${modelId} ${channelId}`, sum);
    if (contentId === 0) return;
    const key = `${contentId} ${hour}`;
    const known = this.contentHours.get(key);
    if (known) known.lines += summands.lines;
    else this.contentHours.set(key, { contentId, hour, lines: summands.lines });
  }

  /** Writes everything that was gathered, within the caller's transaction. */
  write(): void {
    const siteHours = new Map<string, Sum>();
    for (const sum of this.payerHours.values()) {
      const { hour, payerId, modelId, channelId } = sum;
      const values = SUM_COLUMNS.map((column) => sum[column]);
      this.writePayerHour.run(dayOf(hour), payerId, hour, modelId, channelId, ...values);
      addTo(siteHours, `${hour} ${modelId} ${channelId}`, sum);
    }
    for (const sum of siteHours.values()) {
      const values = SUM_COLUMNS.map((column) => sum[column]);
      this.writeSiteHour.run(sum.hour, sum.modelId, sum.channelId, ...values);
    }
    for (const { contentId, hour, lines } of this.contentHours.values()) {
      this.writeContentHour.run(contentId, hour, lines);
    }
    this.forget();
  }

  /** Forgets what was gathered, after a transaction that was rolled back. */
  forget(): void {
    this.payerHours = new Map();
    this.contentHours = new Map();
  }
}
