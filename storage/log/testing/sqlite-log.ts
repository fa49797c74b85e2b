import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteReader } from "../../doctor/snapshot";
import { openConnection } from "../../sqlite/connection";
import { logFileWrites } from "../sqlite/log.repository";
import { logReads, openLogFile, openLogReader } from "../sqlite/log-file";
import type { ChannelNamesUnderTest, LogUnderTest } from "./log-under-test";

/** An empty log file in a folder of its own. */
export const newSqliteLog = async (channels: ChannelNamesUnderTest): Promise<LogUnderTest> => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-log-"));
  const path = join(folder, "logs.sqlite");
  const rows: { id: number; batch: string }[] = [];
  const connection = await openLogFile(path);
  const reader = openLogReader(path);
  const writes = logFileWrites(connection, { after: (id) => rows.filter((row) => row.id > id) });
  return {
    queries: logReads(reader, { all: () => channels }),
    maintenance: {
      clearBefore: async (timestamp, now) => writes.clearBefore(timestamp, now),
      clearFailuresBefore: async (timestamp) => writes.clearFailuresBefore(timestamp),
      closeBucket: async (now) => writes.closeBucket(now),
      clearedBefore: async () => writes.clearedBefore(),
    },
    async takeOver(...batches) {
      for (const batch of batches) rows.push({ id: rows.length + 1, batch });
      writes.ingest();
    },
    async examine(step) {
      const file = openConnection(path, true);
      try {
        await step(sqliteReader(file));
      } finally {
        file.close();
      }
    },
    async close() {
      reader.close();
      connection.close();
      rmSync(folder, { recursive: true });
    },
  };
};
