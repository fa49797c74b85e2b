import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Charge, encodeCharges } from "../accounts/charges";
import type { LogUnderTest } from "../log/testing/log-under-test";
import { newPostgresLog } from "../log/testing/postgres-log";
import { newSqliteLog } from "../log/testing/sqlite-log";
import { TAKEN_BACK } from "../outbox/log-content";
import { chargeOf } from "../testing/charge-of";
import { onEngine } from "../testing/on-engine";
import { checkRepeated } from "./check-log";
import { FoundFaults, MAX_SHOWN } from "./found-faults";
import { WaitingEntries } from "./waiting-entries";

const DAY = 1_767_225_600;
const REQUESTS = 60;

const newLog = onEngine({ sqlite: newSqliteLog, postgres: newPostgresLog });

let log: LogUnderTest;

beforeEach(async () => {
  log = await newLog([]);
});
afterEach(() => log.close());

/** Entries of one request, right or wrong. */
interface History {
  entries: Charge[];
  isWrong: boolean;
}

/** Requests that are found to be in the log more than once. @param waiting entries whose lines are still to be written. */
const findRepeated = async (waiting: readonly Charge[] = []): Promise<string[]> => {
  const entries = new WaitingEntries();
  if (waiting.length > 0) entries.add(1, encodeCharges(waiting)[1]);
  const found = new FoundFaults();
  await log.examine((reader) => checkRepeated({ log: reader, waiting: entries }, found));
  return found.all().flatMap((fault) => (fault.code === "request-repeated" ? [fault.request] : []));
};

const chargeFor = (requestId: string, quota: number): Charge =>
  chargeOf(DAY, quota, { requestId, receipt: "[]" });
const reversalOf = (charge: Charge, by = 0): Charge => ({
  ...charge,
  quota: 0 - charge.quota - by,
  content: TAKEN_BACK,
});
const failureFor = (requestId: string): Charge =>
  chargeOf(DAY + 20, 0, { requestId, count: "error", isLogged: false, content: "", receipt: "[]" });

const rightHistories = (id: string, quota: number): Charge[][] => {
  const charge = chargeFor(id, quota);
  return [
    [charge],
    [failureFor(id)],
    [charge, reversalOf(charge)],
    [charge, reversalOf(charge), failureFor(id)],
    [failureFor(id), charge, reversalOf(charge)],
  ];
};

describe("requests in the log", () => {
  it.each(seeds(12))("are found twice exactly where they are (seed %i)", async (seed) => {
    const random = createRandom(seed);
    const below = (end: number): number => Math.floor(random() * end);
    const histories: History[] = [];
    for (let i = 0; i < REQUESTS; i += 1) {
      const quota = below(3) === 0 ? 0 : 1 + below(1000);
      const all = rightHistories(`s${seed}r${i}`, quota);
      const right = all[below(all.length)] as Charge[];
      const [first] = right as [Charge];
      const spoiled = right[below(right.length)] as Charge;
      // Few are wrong, because few of a kind are told.
      const wrongs = [
        [...right, spoiled],
        [...right, reversalOf(spoiled), reversalOf(spoiled)],
        [chargeFor(first.requestId, quota), failureFor(first.requestId)],
        [chargeFor(first.requestId, quota), reversalOf(chargeFor(first.requestId, quota), 1)],
        [chargeFor(first.requestId, quota), chargeFor(first.requestId, 0 - quota)],
      ];
      const isWrong = below(6) === 0 && histories.filter((history) => history.isWrong).length < MAX_SHOWN;
      histories.push({ entries: isWrong ? (wrongs[below(wrongs.length)] as Charge[]) : right, isWrong });
    }
    const entries = histories.flatMap((history) => history.entries);
    for (let at = entries.length - 1; at > 0; at -= 1) {
      const other = below(at + 1);
      [entries[at], entries[other]] = [entries[other] as Charge, entries[at] as Charge];
    }
    await log.takeOver(...entries.map((entry) => encodeCharges([entry])[1]));
    const wrong = histories.filter(({ isWrong }) => isWrong).map((history) => history.entries[0]?.requestId);
    expect((await findRepeated()).sort()).toEqual([...wrong].sort());
  });

  it("are no fault while the line that takes a charge back is on its way", async () => {
    const charge = chargeFor("late", 7);
    await log.takeOver(encodeCharges([charge, failureFor("late")])[1]);
    expect(await findRepeated()).toEqual(["late"]);
    expect(await findRepeated([reversalOf(charge)])).toEqual([]);
    expect(await findRepeated([reversalOf(charge, 1)])).toEqual(["late"]);
  });

  it("are no fault where clearing has taken some of their lines", async () => {
    const charge = chargeFor("old", 7);
    await log.takeOver(encodeCharges([charge, reversalOf(charge), failureFor("old")])[1]);
    while (!(await log.maintenance.clearBefore(DAY + 10, DAY + 100)).isDone) {
      // Step by step.
    }
    expect(await findRepeated()).toEqual([]);
  });
});
