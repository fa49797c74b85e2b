import { postgresReader } from "../../doctor/database-snapshot";
import { openPool } from "../../postgres/connection-pool";
import { queryBuilder } from "../../postgres/query-builder";
import { newDatabase } from "../../testing/new-database";
import { openLog } from "../postgres/open-log";
import type { ChannelNamesUnderTest, LogUnderTest } from "./log-under-test";

/** The log in an empty database. Every other time it is asked, its sums were added up before. */
export const newPostgresLog = async (channels: ChannelNamesUnderTest): Promise<LogUnderTest> => {
  const address = await newDatabase();
  const { queries, maintenance, takeOver, addUpSums, close } = await openLog(address, {
    all: () => channels,
  });
  let rounds = 0;
  return {
    queries,
    maintenance,
    async takeOver(...batches) {
      await takeOver(async () => batches.map((batch, index) => ({ id: index + 1, batch })));
      rounds += 1;
      if (rounds % 2 === 0) await addUpSums();
    },
    async examine(step) {
      const pool = openPool(address, 1);
      try {
        await queryBuilder<unknown>(pool)
          .transaction()
          .execute((transaction) => step(postgresReader(transaction)));
      } finally {
        await pool.end();
      }
    },
    close,
  };
};
