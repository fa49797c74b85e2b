import type { Connection } from "../../sqlite/connection";
import { hourOf } from "../hours";
import type { Latency } from "../sql/latencies";

type Key = readonly [hour: number, modelId: number, channelId: number, measure: number, bucket: number];

/** Gathers counts of durations, so that each row is written once, within transactions of its caller. */
export class LatencyHours {
  private counts = new Map<string, { key: Key; requests: number }>();
  private readonly addition;

  constructor(connection: Connection) {
    this.addition = connection.prepare(
      `INSERT INTO latency_hours (hour, model_id, channel_id, measure, bucket, requests) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET requests = requests + excluded.requests`,
    );
  }

  /** @param createdAt unix seconds. */
  add(createdAt: number, modelId: number, channelId: number, latencies: readonly Latency[]): void {
    for (const [measure, bucket] of latencies) {
      const key: Key = [hourOf(createdAt), modelId, channelId, measure, bucket];
      const name = key.join(" ");
      const known = this.counts.get(name);
      if (known) known.requests += 1;
      else this.counts.set(name, { key, requests: 1 });
    }
  }

  /** Writes everything that was gathered. */
  write(): void {
    for (const { key, requests } of this.counts.values()) this.addition.run(...key, requests);
    this.forget();
  }

  /** Clears the gathered counts, after a transaction that was rolled back. */
  forget(): void {
    this.counts = new Map();
  }
}
