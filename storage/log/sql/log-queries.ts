import type { InSnapshot } from "../../sql/sql-runner";
import type { LogQueries } from "../ports";
import { healthReads } from "./health";
import { latencyReads } from "./latencies";
import { logLineReads } from "./log-lines";
import { pricedLineReads } from "./priced-lines";
import { profitReads } from "./profit";
import { receiptReads } from "./receipts";
import { servedModelReads } from "./served-models";
import { sortedLineReads } from "./sorted-lines";
import { type ChannelNames, usageReads } from "./usage";

/**
 * Queries of the log, in SQL that every engine runs.
 * @param channels names of channels, which lines have by number. @param like the engine's operator for a prefix in
 *   either case.
 * @param blocks the engine's query of lines' materials (./priced-lines.ts).
 */
export const logQueries = (
  inSnapshot: InSnapshot,
  channels: ChannelNames,
  like: "LIKE" | "ILIKE",
  blocks: string,
) =>
  ({
    logs: { ...logLineReads(inSnapshot, like), ...sortedLineReads(inSnapshot) },
    usage: { ...usageReads(inSnapshot, channels), ...servedModelReads(inSnapshot, channels) },
    profit: profitReads(inSnapshot, channels),
    health: { ...healthReads(inSnapshot), ...latencyReads(inSnapshot, channels) },
    receipts: receiptReads(inSnapshot),
    pricedLines: pricedLineReads(inSnapshot, blocks),
  }) satisfies LogQueries;
