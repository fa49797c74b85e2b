import type { DataFault } from "../errors";
import { checkBalances } from "./check-balances";
import { checkLog } from "./check-log";
import { checkRecords } from "./check-records";
import type { ExaminedData } from "./examined-data";

/** What an examination found. */
export interface Examination {
  users: number;
  tokens: number;
  /** Lines in the log. */
  lines: number;
  /** Requests that are charged and whose lines are still to be written. */
  waiting: number;
  /** Charges that are stored in the journal alone; the next start brings them to the main file. */
  journalled: number;
  /** Everything that is wrong. */
  faults: DataFault[];
}

export const NOTHING_EXAMINED: Examination = {
  users: 0,
  tokens: 0,
  lines: 0,
  waiting: 0,
  journalled: 0,
  faults: [],
};

/** What holds on every engine. */
export const examineData = async (data: ExaminedData): Promise<Examination> => {
  const unreadable = data.waiting.unreadableRows.map(
    (row): DataFault => ({ code: "outbox-row-unreadable", row }),
  );
  const balances = await checkBalances(data);
  const log = await checkLog(data);
  return {
    users: balances.users,
    tokens: balances.tokens,
    lines: log.lines,
    waiting: data.waiting.requests,
    journalled: 0,
    faults: [...unreadable, ...balances.faults, ...log.faults, ...(await checkRecords(data))],
  };
};
