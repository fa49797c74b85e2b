import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeCharges } from "../accounts/charges";
import { openAccounts } from "../accounts/postgres/open-accounts";
import { openBodies } from "../bodies/postgres/open-bodies";
import { examineDatabase } from "../doctor/examine-database";
import { openPostgresLog } from "../postgres-log";
import { createSecrets } from "../secrets";
import { askDatabase, newDatabase } from "../testing/new-database";
import { postgresSchema } from "../testing/postgres-schema";
import {
  CURRENT,
  hasReleaseFile,
  RELEASES,
  readReleaseFile,
  WRITES_DATA,
  WRITES_RECORDS,
  writeReleaseFile,
} from "../testing/release-files";
import {
  fillAccounts,
  fillBodies,
  lateCharge,
  readRecords,
  refundCharge,
  releaseCharges,
} from "../testing/release-records";
import { MASTER_KEY } from "../testing/sample-records";

const DATA = "database.sql";
const RECORDS = "database-records.json";

const failAtOnce = (error: Error): void => {
  throw error;
};

/** Opens all stores of a database, as a start does. */
const openAll = async (address: string) => {
  const accounts = await openAccounts(address, createSecrets(MASTER_KEY));
  const log = await openPostgresLog({ address, readAddress: undefined }, failAtOnce);
  const bodies = await openBodies(address, MASTER_KEY);
  return {
    accounts,
    log,
    ...bodies,
    async close() {
      await bodies.close();
      await log.close();
      await accounts.close();
    },
  };
};

/** Puts records of every kind into an empty database: some lines wait in the outbox. */
const fillDatabase = async (address: string): Promise<void> => {
  const { accounts, log, bodies, close } = await openAll(address);
  await fillAccounts(accounts.changes);
  await accounts.charges.commit(...encodeCharges(releaseCharges()));
  await refundCharge(accounts.changes);
  await log.queries.logs.page({}, 0, 1);
  while (await log.maintenance.closeBucket(2_000_000_000)) {
    // One bucket at a time.
  }
  await log.addUpSums();
  await fillBodies(bodies);
  await close();
  const late = await openAccounts(address, createSecrets(MASTER_KEY));
  await late.charges.commit(...encodeCharges([lateCharge("r-5"), lateCharge("r-6")]));
  await late.close();
};

/** Statements of a database as pg_dump writes them, without comments and its commands for psql. */
const dumpDatabase = async (address: string): Promise<string> => {
  const { stdout } = await promisify(execFile)(
    join(process.env.POSTGRES_BIN ?? "", "pg_dump"),
    ["--inserts", "--no-owner", "--no-privileges", "--no-comments", address],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout.replaceAll(/^(?:--|\\|SET transaction_timeout|CREATE SCHEMA public).*\n/gm, "");
};

const restoreDatabase = async (version: string): Promise<string> => {
  const address = await newDatabase();
  await askDatabase(address, readReleaseFile(version, DATA));
  return address;
};

beforeAll(async () => {
  if (!WRITES_DATA) return;
  const address = await newDatabase();
  await fillDatabase(address);
  writeReleaseFile(CURRENT, DATA, await dumpDatabase(address));
});

const KEPT = RELEASES.filter((version) => hasReleaseFile(version, DATA) || WRITES_DATA);

describe("the releases", () => {
  it("each have a database here", () => {
    expect(KEPT).toEqual(RELEASES);
  });
});

describe.each(KEPT)("a database of %s", (version) => {
  it("answers every query with the records of then, and keeps its books in order", async () => {
    const address = await restoreDatabase(version);
    const { accounts, log, bodies, close } = await openAll(address);
    const records = await readRecords({ ...accounts.queries, ...log.queries }, bodies);
    await close();
    if (WRITES_RECORDS) writeReleaseFile(version, RECORDS, `${JSON.stringify(records, null, 1)}\n`);
    expect(records).toMatchObject(JSON.parse(readReleaseFile(version, RECORDS)));
    const empty = Object.entries(records).filter(
      ([, answer]) => answer === undefined || (Array.isArray(answer) && answer.length === 0),
    );
    expect(empty).toEqual([]);
    expect(await examineDatabase(address)).toMatchObject({ users: 2, faults: [] });
  });

  it("has the schema of a new database after the start", async () => {
    const address = await restoreDatabase(version);
    await (await openAll(address)).close();
    const made = await newDatabase();
    await (await openAll(made)).close();
    expect(await postgresSchema(address)).toEqual(await postgresSchema(made));
  });
});
