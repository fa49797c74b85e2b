import { afterEach, beforeEach, expect, it } from "vitest";
import { type OpenLog, openLog } from "../../log/postgres/open-log";
import { encodeAccountEntries, encodeRequests, type RequestEntry } from "../../outbox/log-entry";
import { askDatabase, newDatabase } from "../../testing/new-database";
import { newCharge } from "../../testing/sample-records";
import { finishLog, repeatLog } from "./repeat-log";

const DAY_SECONDS = 86_400;
/** A Thursday, on which weeks of the sums begin. */
const START = 1_767_225_600;
const DAYS = 3;
const SPANS = 4;
/** Some of the last span's buckets are still open. */
const NOW = START + SPANS * DAYS * DAY_SECONDS - 100_000;

let opened: OpenLog[] = [];

beforeEach(() => {
  opened = [];
});

afterEach(async () => {
  for (const { close } of opened) await close();
});

const newLog = async (): Promise<{ address: string; log: OpenLog }> => {
  const address = await newDatabase();
  const log = await openLog(address, { all: () => [] });
  opened.push(log);
  return { address, log };
};

/** A receipt without particulars. */
const RECEIPT = JSON.stringify([
  "m",
  "m",
  "failed",
  0,
  1,
  null,
  ...[0, 0, null, null, null],
  "none",
  "none",
  0,
  0,
  0,
  "",
  [],
]);

/** What is used in one span of days: several users, keys, models and channels, streams, failures, and lines about accounts. */
const usageFrom = (start: number, suffix: string): string => {
  const requests = Array.from({ length: 200 }, (_, index): RequestEntry => {
    const isError = index % 17 === 0;
    const createdAt = start + Math.floor((index * DAYS * DAY_SECONDS) / 200);
    return newCharge({
      requestId: `request-${index}${suffix}`,
      createdAt,
      userId: 1 + (index % 5),
      username: `user ${index % 5}`,
      tokenId: 1 + (index % 7),
      tokenName: `key ${index % 3}`,
      channelId: 1 + (index % 2),
      modelName: `model ${index % 4}`,
      quota: isError ? 0 : index,
      content: isError ? "" : `ratio ${index % 3}`,
      count: isError ? "error" : "answered",
      isLogged: !isError,
      isStream: index % 3 === 0,
      durationMs: index,
      firstByteMs: index % 3 === 0 ? 1 : undefined,
      receipt: RECEIPT,
      failure: isError
        ? { code: "upstream-failed", status: 500, firstAt: createdAt, count: 1, isRepeat: false }
        : undefined,
    });
  });
  const account = { createdAt: start + 5, userId: 1, username: "user 0", type: 1, content: "a top-up" };
  return encodeRequests(requests) + encodeAccountEntries([account]);
};

/** Everything that a log holds, without the numbers that a later line is given. */
const contentOf = async (address: string): Promise<Record<string, unknown[]>> => {
  const tables = await askDatabase(
    address,
    "SELECT relname::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname NOT LIKE 'log_migrations%'",
  );
  const found: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    const rows = await askDatabase(address, `SELECT to_jsonb(t) AS row FROM ${name} t`);
    found[String(name)] = rows
      .map(({ row }) => JSON.stringify(row).replaceAll(/"(id|log_id|receipt_id)": ?[1-9]\d*/g, '"$1":"some"'))
      .sort();
  }
  return found;
};

it("leaves the same data as lines written one by one, the sums included", async () => {
  const written = await newLog();
  for (let span = 0; span < SPANS; span += 1) {
    const batch = usageFrom(START + span * DAYS * DAY_SECONDS, span === 0 ? "" : `-${span}`);
    await written.log.takeOver(async () => [{ id: 1, batch }]);
    await written.log.addUpSums();
  }
  while (await written.log.maintenance.closeBucket(NOW)) {
    // Step by step.
  }
  const repeated = await newLog();
  await repeated.log.takeOver(async () => [{ id: 1, batch: usageFrom(START, "") }]);
  await repeatLog(repeated.address, { copies: SPANS - 1, days: DAYS });
  await finishLog(repeated.address, NOW);

  const [expected, found] = [await contentOf(written.address), await contentOf(repeated.address)];
  expect(expected.logs).toHaveLength(SPANS * 189);
  expect(expected.payer_weeks_summed?.length).toBeGreaterThan(0);
  expect(found).toEqual(expected);
  const receipts =
    "SELECT count(*) AS joined FROM logs JOIN receipts ON receipts.id = receipt_id AND log_id = logs.id";
  expect(await askDatabase(repeated.address, receipts)).toEqual(await askDatabase(written.address, receipts));
  await repeated.log.takeOver(async () => [{ id: 1, batch: usageFrom(NOW, "-late") }]);
  expect(await repeated.log.queries.logs.page({}, 0, 1000)).toHaveLength((SPANS + 1) * 200);
});
