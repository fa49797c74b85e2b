import { dirname, join } from "node:path";
import type { OnThread } from "../../consistency";
import { type Connection, openConnection } from "../../sqlite/connection";
import { migrate } from "../../sqlite/migrate";
import type { LogQueries } from "../ports";
import { logLineReads } from "./log-lines";
import { LOG_MIGRATIONS } from "./migrations/migrations";
import { receiptReads } from "./receipts";
import { type ChannelNames, usageReads } from "./usage";

/** Where the log file of a main file lies: beside it. */
export const logFilePath = (mainPath: string): string => join(dirname(mainPath), "logs.sqlite");

/** The pages that new lines go to. */
const WRITER_CACHE_MB = 8;
/** The sums of some months. */
const READER_CACHE_MB = 32;

/** Opens the log file for queries, beside its writer. */
export const openLogReader = (path: string): Connection => openConnection(path, true, READER_CACHE_MB);

/** Opens the log file for writing and brings it to the newest schema. There may be one writer only. */
export const openLogFile = async (path: string): Promise<Connection> => {
  const connection = openConnection(path, false, WRITER_CACHE_MB);
  // What was taken from the outbox is deleted there: it must not be lost here by a power cut.
  connection.exec("PRAGMA synchronous = FULL");
  await migrate(connection, LOG_MIGRATIONS);
  return connection;
};

/** Queries over a connection that only reads. @param channels names of what lines know by number. */
export const logQueries = (connection: Connection, channels: ChannelNames) =>
  ({
    logs: logLineReads(connection),
    usage: usageReads(connection, channels),
    receipts: receiptReads(connection),
  }) satisfies OnThread<LogQueries>;
