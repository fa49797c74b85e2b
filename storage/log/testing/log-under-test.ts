import type { UsagePoint } from "@tollgate/contract/api/usage";
import type { DataReader } from "../../doctor/data-reader";
import type { AccountEntry } from "../../outbox/log-entry";
import type { LogMaintenance, LogQueries, UsageQuery } from "../ports";

/** The log on some engine, as the tests of all engines use it. */
export interface LogUnderTest {
  queries: LogQueries & { usage: { points(query: UsageQuery, now: number): Promise<UsagePoint[]> } };
  maintenance: LogMaintenance;
  /** Takes texts of outbox rows over. */
  takeOver(...batches: string[]): Promise<void>;
  /** Reads it as the doctor does. */
  examine(step: (log: DataReader) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** What the log is told of channels. */
export type ChannelNamesUnderTest = { id: number; name: string }[];

export type { AccountEntry };
