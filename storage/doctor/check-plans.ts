import type { DataFault } from "../errors";
import type { ExaminedData } from "./examined-data";
import { addTo } from "./waiting-entries";

interface PeriodRow {
  subscription_id: number;
  number: number;
  granted: number;
  taken: number;
  entered: number;
  back: number;
}

/** What was taken back of periods after the first time: few have such entries, which name what was taken before. */
const furtherParts = async ({ main }: ExaminedData): Promise<Map<string, number>> => {
  const parts = new Map<string, number>();
  const pages = main.pages<{ reference: string; amount: number }>(
    "SELECT reference, amount FROM ledger_entries WHERE cause = 'plan-expiry' AND reference LIKE '%/%/%'",
  );
  for await (const page of pages)
    for (const { reference, amount } of page) {
      const [id, number] = reference.split("/");
      const key = `${id}/${number}`;
      parts.set(key, (parts.get(key) ?? 0) - amount);
    }
  return parts;
};

const entriesOf = (cause: string): string =>
  `(SELECT coalesce(sum(amount), 0) FROM ledger_entries WHERE cause = '${cause}' AND account = 'balance'
     AND reference = CAST(subscription_id AS TEXT) || '/' || CAST(number AS TEXT))`;

/** Each period of a plan was given and taken back what the ledger says, and so was what is put aside. */
export const checkPlans = async (data: ExaminedData): Promise<DataFault[]> => {
  const faults: DataFault[] = [];
  const further = await furtherParts(data);
  const periods = data.main.pages<PeriodRow>(
    `SELECT subscription_id, number, granted, taken,
       ${entriesOf("plan-grant")} AS entered, -${entriesOf("plan-expiry")} AS back
     FROM plan_periods ORDER BY subscription_id, number`,
  );
  for await (const page of periods)
    for (const { subscription_id: subscription, number: period, granted, taken, ...sums } of page) {
      const entered = Number(sums.entered);
      const back = Number(sums.back) + (further.get(`${subscription}/${period}`) ?? 0);
      if (granted !== entered || taken !== back)
        faults.push({ code: "plan-ledger", subscription, period, granted, taken, entered, back });
    }
  const parked = new Map<number, number>();
  const sums = data.main.pages<{ user_id: number; amount: number }>(
    `SELECT user_id, sum(amount) AS amount FROM ledger_entries
     WHERE account = 'parked' AND user_id IN (SELECT id FROM users) GROUP BY user_id ORDER BY user_id`,
  );
  for await (const page of sums)
    for (const { user_id: id, amount } of page) addTo(parked, id, Number(amount));
  const accounts = data.main.pages<{ user_id: number; parked: number }>(
    "SELECT user_id, parked FROM plan_accounts ORDER BY user_id",
  );
  for await (const page of accounts)
    for (const { user_id: user, parked: aside } of page) {
      const entered = parked.get(user) ?? 0;
      parked.delete(user);
      if (aside !== entered) faults.push({ code: "plan-parked", user, parked: aside, entered });
    }
  // Entries of whoever has no such account any more: entries of users that are gone stay.
  for (const [user, entered] of parked)
    if (entered !== 0) faults.push({ code: "plan-parked", user, parked: 0, entered });
  return faults;
};
