import { dirname, join } from "node:path";
import { type Connection, openConnection } from "../../sqlite/connection";
import { migrate } from "../../sqlite/migrate";
import { sqliteSnapshots } from "../../sqlite/sqlite-runner";
import { logQueries } from "../sql/log-queries";
import type { ChannelNames } from "../sql/usage";
import { LOG_MIGRATIONS } from "./migrations";

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
  // Entries taken from the outbox are deleted there: a power cut must not lose them here.
  connection.exec("PRAGMA synchronous = FULL");
  await migrate(connection, LOG_MIGRATIONS);
  return connection;
};

const BLOCKS = "SELECT hour, lines, data FROM priced_lines WHERE hour >= ? AND hour < ? ORDER BY hour";

/** Queries over a connection that only reads. @param channels names of channels, which lines have by number. */
export const logReads = (connection: Connection, channels: ChannelNames) =>
  logQueries(sqliteSnapshots(connection), channels, "LIKE", BLOCKS);
