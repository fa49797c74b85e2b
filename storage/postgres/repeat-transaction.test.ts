import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newDatabase } from "../testing/new-database";
import { type ConnectionPool, openPool } from "./connection-pool";
import { queryBuilder } from "./query-builder";
import { repeatTransaction } from "./repeat-transaction";

let pool: ConnectionPool;
let db: Kysely<unknown>;

beforeEach(async () => {
  pool = openPool(await newDatabase(), 2);
  db = queryBuilder(pool);
  await sql`CREATE TABLE things (id int PRIMARY KEY, value int)`.execute(db);
  await sql`INSERT INTO things VALUES (1, 0), (2, 0)`.execute(db);
  // So that a deadlock is found at once.
  await sql`SELECT set_config('deadlock_timeout', '10ms', false)`.execute(db);
});
afterEach(() => pool.end());

const values = async () =>
  (await sql<{ value: number }>`SELECT value FROM things ORDER BY id`.execute(db)).rows.map(
    ({ value }) => value,
  );

/** Lets two that meet here go on together, once. */
const meeting = () => {
  let arrived = 0;
  let release = (): void => {};
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });
  return async (): Promise<void> => {
    arrived += 1;
    if (arrived >= 2) release();
    await both;
  };
};

describe("a transaction that was taken back for another one's sake", () => {
  it("is done again after a deadlock: both are done in the end", async () => {
    const meet = meeting();
    let tries = 0;
    const add = (first: number, second: number) =>
      repeatTransaction(() =>
        db.transaction().execute(async (transaction) => {
          tries += 1;
          await sql`UPDATE things SET value = value + 1 WHERE id = ${first}`.execute(transaction);
          await meet();
          await sql`UPDATE things SET value = value + 1 WHERE id = ${second}`.execute(transaction);
        }),
      );
    await Promise.all([add(1, 2), add(2, 1)]);
    expect(tries).toBe(3);
    expect(await values()).toEqual([2, 2]);
  });

  it("is done again where no order of both would have given the same", async () => {
    const meet = meeting();
    let tries = 0;
    const addSum = (id: number) =>
      repeatTransaction(() =>
        db
          .transaction()
          .setIsolationLevel("serializable")
          .execute(async (transaction) => {
            tries += 1;
            const { rows } = await sql<{ sum: number }>`SELECT sum(value) AS sum FROM things`.execute(
              transaction,
            );
            await meet();
            await sql`UPDATE things SET value = ${(rows[0]?.sum ?? 0) + 1} WHERE id = ${id}`.execute(
              transaction,
            );
          }),
      );
    await Promise.all([addSum(1), addSum(2)]);
    expect(tries).toBe(3);
    expect((await values()).sort()).toEqual([1, 2]);
  });

  it("is not done again for any other reason, nor without end", async () => {
    let tries = 0;
    const refused = repeatTransaction(async () => {
      tries += 1;
      await sql`INSERT INTO things VALUES (1, 1)`.execute(db);
    });
    await expect(refused).rejects.toMatchObject({ code: "23505" });
    expect(tries).toBe(1);
    const inTheWay = Object.assign(new Error("deadlock"), { code: "40P01" });
    const never = repeatTransaction(async () => {
      tries += 1;
      throw inTheWay;
    });
    await expect(never).rejects.toBe(inTheWay);
    expect(tries).toBe(7);
  });
});
