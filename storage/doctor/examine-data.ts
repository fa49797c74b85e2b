import type { Option } from "@tollgate/contract/api/options";
import { declares, OPTION_KEYS } from "@tollgate/contract/options/options";
import { CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import type { DataFault } from "../errors";
import { checkBalances } from "./check-balances";
import { checkLog } from "./check-log";
import { checkMoney } from "./check-money";
import { checkRecords } from "./check-records";
import type { ExaminedData } from "./examined-data";
import { FoundFaults } from "./found-faults";

export interface Examination {
  /** False where the data could not be read: nothing was counted then. */
  isExamined: boolean;
  users: number;
  tokens: number;
  /** Lines in the log. */
  lines: number;
  /** Requests that are charged and whose lines are still to be written. */
  waiting: number;
  /** Charges that are stored in the journal alone; the next start brings them to the main file. */
  journalled: number;
  /** When the newest line of the log was written, in unix seconds; undefined for an empty log. */
  newestTime: number | undefined;
  /** The database's clock, in unix seconds; undefined for files, which have none. */
  databaseTime: number | undefined;
  /** Stored options, which decide about prices. */
  options: readonly Option[];
  /** The channels that are switched on: a comma list and JSON, as they are stored. */
  channels: readonly { id: number; name: string; models: string; mapping: string }[];
  /** Everything that is wrong; of each kind the first ones, and how many more there are. */
  faults: DataFault[];
  /** Remarks worth knowing that are no faults, in the same form. */
  notes: DataFault[];
}

export const NOTHING_EXAMINED: Examination = {
  isExamined: false,
  users: 0,
  tokens: 0,
  lines: 0,
  waiting: 0,
  journalled: 0,
  newestTime: undefined,
  databaseTime: undefined,
  options: [],
  channels: [],
  faults: [],
  notes: [],
};

const PRICE_OPTIONS = OPTION_KEYS.filter((key) => declares(key, "isPrice"));

/**
 * Checks that apply to every engine.
 * @param found faults found before. @param examineMore checks of one engine alone.
 */
export const examineData = async (
  data: ExaminedData,
  found: FoundFaults,
  examineMore: () => Promise<void> = async () => {},
): Promise<Examination> => {
  const notes = new FoundFaults();
  for (const row of data.waiting.unreadableRows) found.add({ code: "outbox-row-unreadable", row });
  await checkMoney(data.main, data.hasLeases, found, notes);
  const { users, tokens } = await checkBalances(data, found);
  const lines = await checkLog(data, found);
  await checkRecords(data, found);
  await examineMore();
  const [newest] = await data.log.all<{ time: number | null }>("SELECT max(created_at) AS time FROM logs");
  const keys = PRICE_OPTIONS.map((key) => `'${key}'`).join(", ");
  const options = await data.main.all<Option>(
    `SELECT key, value FROM options WHERE is_sealed = 0 AND key IN (${keys})`,
  );
  const channels = await data.main.all<Examination["channels"][number]>(
    `SELECT id, name, models, model_mapping AS mapping FROM channels WHERE status = ${CHANNEL_ENABLED} ORDER BY id`,
  );
  return {
    isExamined: true,
    users,
    tokens,
    lines,
    waiting: data.waiting.requests,
    journalled: 0,
    newestTime: newest?.time ?? undefined,
    databaseTime: undefined,
    options,
    channels,
    faults: found.all(),
    notes: notes.all(),
  };
};
