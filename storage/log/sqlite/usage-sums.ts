import type { Connection } from "../../sqlite/connection";
import { dayOf, hourOf } from "../hours";
import { BLOCK_TABLES, type BlockKey, blockOf } from "../sql/blocks";
import { NAME_TABLES, nameKeys } from "../sql/key-names";
import { SUM_COLUMNS, type Summands } from "../sql/sum-columns";
import { addSummands } from "../sql/summands";
import { readState } from "./log-state";

interface Sum {
  hour: number;
  payerId: number;
  modelId: number;
  channelId: number;
  summands: Summands;
}

const addTo = (sums: Map<string, Sum>, key: string, from: Sum): void => {
  const sum = sums.get(key);
  if (sum) addSummands(sum.summands, from.summands);
  else sums.set(key, { ...from, summands: { ...from.summands } });
};

/** The statement that adds a row to a table of sums. @param keys the columns of its primary key. */
const prepareAddition = (connection: Connection, table: string, keys: readonly string[]) => {
  const columns = [...keys, ...SUM_COLUMNS];
  return connection.prepare(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
     ON CONFLICT DO UPDATE SET ${SUM_COLUMNS.map((column) => `${column} = ${column} + excluded.${column}`).join(", ")}`,
  );
};

const valuesOf = ({ summands }: Sum): number[] => SUM_COLUMNS.map((column) => summands[column]);

/** Gathers the summands of many entries, so that each row is written once. */
export class UsageSums {
  private details = new Map<string, Sum>();
  private contentHours = new Map<string, { contentId: number; hour: number; lines: number }>();
  private readonly addDetail;
  private readonly addPayerHour;
  private readonly addSiteHour;
  private readonly addModelHour;
  private readonly addChannelHour;
  private readonly addContentHour;
  private readonly addToBlock;
  private readonly findName;
  private readonly addToName;

  constructor(private readonly connection: Connection) {
    this.addDetail = prepareAddition(connection, "detail_hours", [
      "day",
      "payer_id",
      "hour",
      "model_id",
      "channel_id",
    ]);
    this.addPayerHour = prepareAddition(connection, "payer_hours", ["day", "payer_id", "hour"]);
    this.addSiteHour = prepareAddition(connection, "site_hours", ["hour", "model_id", "channel_id"]);
    this.addModelHour = prepareAddition(connection, "model_hours", ["hour", "model_id"]);
    this.addChannelHour = prepareAddition(connection, "channel_hours", ["hour", "channel_id"]);
    this.addToBlock = BLOCK_TABLES.map((block) => ({
      ...block,
      addition: prepareAddition(connection, block.table, [block.block, ...block.keys]),
    }));
    this.findName = connection.prepare(
      `SELECT shared_names.id FROM payers JOIN shared_names ON shared_names.name = payers.token_name
       WHERE payers.id = ? AND shared_names.since <= ?`,
    );
    this.addToName = NAME_TABLES.map((table) => ({
      keys: table.keys,
      addition: prepareAddition(connection, table.table, nameKeys(table)),
    }));
    this.addContentHour = connection.prepare(
      `INSERT INTO content_hours (content_id, hour, lines) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET lines = lines + excluded.lines`,
    );
  }

  /** @param createdAt unix seconds. @param contentId 0 without a line. */
  add(
    createdAt: number,
    payerId: number,
    modelId: number,
    channelId: number,
    contentId: number,
    summands: Summands,
  ): void {
    const hour = hourOf(createdAt);
    addTo(this.details, `${hour} ${payerId} ${modelId} ${channelId}`, {
      hour,
      payerId,
      modelId,
      channelId,
      summands,
    });
    if (contentId === 0) return;
    const key = `${contentId} ${hour}`;
    const known = this.contentHours.get(key);
    if (known) known.lines += summands.lines;
    else this.contentHours.set(key, { contentId, hour, lines: summands.lines });
  }

  /** Writes everything that was gathered, within the caller's transaction. */
  write(): void {
    const payerHours = new Map<string, Sum>();
    const siteHours = new Map<string, Sum>();
    const modelHours = new Map<string, Sum>();
    const channelHours = new Map<string, Sum>();
    const bucketsUntil = readState(this.connection, "buckets-until");
    for (const sum of this.details.values()) {
      const { hour, payerId, modelId, channelId } = sum;
      this.addDetail.run(dayOf(hour), payerId, hour, modelId, channelId, ...valuesOf(sum));
      addTo(payerHours, `${hour} ${payerId}`, sum);
      addTo(siteHours, `${hour} ${modelId} ${channelId}`, sum);
      if (hour < bucketsUntil) this.addLate(sum);
    }
    for (const sum of payerHours.values()) {
      this.addPayerHour.run(dayOf(sum.hour), sum.payerId, sum.hour, ...valuesOf(sum));
    }
    for (const sum of siteHours.values()) {
      this.addSiteHour.run(sum.hour, sum.modelId, sum.channelId, ...valuesOf(sum));
      addTo(modelHours, `${sum.hour} ${sum.modelId}`, sum);
      addTo(channelHours, `${sum.hour} ${sum.channelId}`, sum);
    }
    for (const sum of modelHours.values()) this.addModelHour.run(sum.hour, sum.modelId, ...valuesOf(sum));
    for (const sum of channelHours.values()) {
      this.addChannelHour.run(sum.hour, sum.channelId, ...valuesOf(sum));
    }
    for (const { contentId, hour, lines } of this.contentHours.values()) {
      this.addContentHour.run(contentId, hour, lines);
    }
    this.forget();
  }

  /** Adds late entries to blocks and names whose bucket was added up already. */
  private addLate(sum: Sum): void {
    const ids: Record<BlockKey, number> = {
      payer_id: sum.payerId,
      model_id: sum.modelId,
      channel_id: sum.channelId,
    };
    for (const { seconds, keys, addition } of this.addToBlock) {
      addition.run(blockOf(sum.hour, seconds), ...keys.map((key) => ids[key]), ...valuesOf(sum));
    }
    const name = this.findName.get(sum.payerId, sum.hour) as { id: number } | undefined;
    if (!name) return;
    for (const { keys, addition } of this.addToName)
      addition.run(name.id, sum.hour, ...keys.map((key) => ids[key]), ...valuesOf(sum));
  }

  /** Clears the gathered sums, after a transaction that was rolled back. */
  forget(): void {
    this.details = new Map();
    this.contentHours = new Map();
  }
}
