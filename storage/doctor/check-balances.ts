import type { DataFault } from "../errors";
import type { ExaminedData } from "./examined-data";
import { addTo } from "./waiting-entries";

interface UserRow {
  id: number;
  username: string;
  quota: number;
  used_quota: number;
  granted_quota: number;
  unlogged_quota: number;
}

interface TokenRow {
  id: number;
  user_id: number;
  name: string;
  remain_quota: number;
  used_quota: number;
  granted_quota: number;
  taken_quota: number;
  untaken_quota: number;
}

/** What each user's requests cost, as the log and what is on its way there say. */
const loggedQuotas = async ({ log, waiting }: ExaminedData): Promise<Map<number, number>> => {
  const logged = new Map(waiting.quotaOfUsers);
  const sums = log.pages<{ id: number; quota: number }>(
    `SELECT payers.user_id AS id, sum(payer_hours.quota) AS quota
     FROM payer_hours JOIN payers ON payers.id = payer_hours.payer_id GROUP BY payers.user_id`,
  );
  for await (const page of sums) for (const { id, quota } of page) addTo(logged, id, quota);
  return logged;
};

/** What the entries of the ledger add up to. */
interface Entered {
  users: Map<number, number>;
  keys: Map<number, number>;
  commission: Map<number, number>;
  payout: Map<number, number>;
  /** Accounts of which the entries alone say what is on them. */
  faults: DataFault[];
}

const enteredQuotas = async ({ main }: ExaminedData): Promise<Entered> => {
  const entered: Entered = {
    users: new Map(),
    keys: new Map(),
    commission: new Map(),
    payout: new Map(),
    faults: [],
  };
  const sums = main.pages<{ user_id: number; account: string; key_id: number; amount: number }>(
    `SELECT user_id, account, key_id, sum(amount) AS amount FROM ledger_entries
     GROUP BY user_id, account, key_id ORDER BY user_id, account, key_id`,
  );
  for await (const page of sums)
    for (const { user_id: user, account, key_id: key, amount } of page)
      if (account === "balance") entered.users.set(user, Number(amount));
      else if (account === "key") entered.keys.set(key, Number(amount));
      else if (Number(amount) < 0)
        entered.faults.push({ code: "ledger-below-zero", user, account, balance: Number(amount) });
      else if (account === "commission" || account === "payout") entered[account].set(user, Number(amount));
  return entered;
};

/** @param leased what nodes hold of the balance: it is the user's as well. */
const checkUser = (row: UserRow, leased: number, logged: number, entered: number): DataFault[] => {
  const { granted_quota: granted, used_quota: used } = row;
  const balance = row.quota + leased;
  const who = { user: row.id, username: row.username };
  const faults: DataFault[] = [];
  if (row.quota < 0) faults.push({ code: "user-below-zero", ...who, balance: row.quota });
  const due = granted - used;
  if (balance !== due) faults.push({ code: "user-balance", ...who, balance, granted, used, due });
  if (granted !== entered) faults.push({ code: "user-ledger", ...who, granted, entered });
  const explained = row.unlogged_quota + logged;
  if (used !== explained) faults.push({ code: "user-use", ...who, used, logged: explained });
  return faults;
};

const checkToken = (row: TokenRow, leased: number, entered: number): DataFault[] => {
  const { granted_quota: granted, taken_quota: taken, untaken_quota: untaken } = row;
  const balance = row.remain_quota + leased;
  const which = { key: row.id, name: row.name, user: row.user_id };
  const faults: DataFault[] = [];
  if (row.remain_quota < 0) faults.push({ code: "key-below-zero", ...which, balance: row.remain_quota });
  const due = granted - taken;
  if (balance !== due) faults.push({ code: "key-balance", ...which, balance, granted, taken, due });
  if (granted !== entered) faults.push({ code: "key-ledger", ...which, granted, entered });
  const explained = taken + untaken;
  if (untaken < 0) faults.push({ code: "key-overtaken", ...which });
  else if (row.used_quota !== explained)
    faults.push({ code: "key-use", ...which, used: row.used_quota, taken, untaken, due: explained });
  return faults;
};

/** What inviters have of commissions is what their entries add up to. */
const checkCommissions = async ({ main }: ExaminedData, entered: Entered): Promise<DataFault[]> => {
  const faults: DataFault[] = [];
  const compare = (user: number, account: "commission" | "payout", balance: number): void => {
    const sum = entered[account].get(user) ?? 0;
    entered[account].delete(user);
    if (balance !== sum) faults.push({ code: "commission-ledger", user, account, balance, entered: sum });
  };
  const accounts = main.pages<{ user_id: number; commission: number; payout: number }>(
    "SELECT * FROM commission_accounts ORDER BY user_id",
  );
  for await (const page of accounts)
    for (const { user_id: user, commission, payout } of page) {
      compare(user, "commission", commission);
      compare(user, "payout", payout);
    }
  for (const account of ["commission", "payout"] as const)
    for (const user of [...entered[account].keys()]) compare(user, account, 0);
  return faults;
};

/**
 * Every balance, with what is leased of it, is what was granted less what was settled; all that was granted is in the ledger, and
 * everything settled in the log.
 */
export const checkBalances = async (
  data: ExaminedData,
): Promise<{ users: number; tokens: number; faults: DataFault[] }> => {
  const logged = await loggedQuotas(data);
  const entered = await enteredQuotas(data);
  const found = { users: 0, tokens: 0, faults: entered.faults };
  for await (const page of data.main.pages<UserRow>("SELECT * FROM users ORDER BY id")) {
    found.users += page.length;
    for (const user of page) {
      const [leased, used] = [data.leased.users.get(user.id) ?? 0, logged.get(user.id) ?? 0];
      found.faults.push(...checkUser(user, leased, used, entered.users.get(user.id) ?? 0));
    }
  }
  for await (const page of data.main.pages<TokenRow>("SELECT * FROM tokens ORDER BY id")) {
    found.tokens += page.length;
    for (const token of page)
      found.faults.push(
        ...checkToken(token, data.leased.keys.get(token.id) ?? 0, entered.keys.get(token.id) ?? 0),
      );
  }
  found.faults.push(...(await checkCommissions(data, entered)));
  return found;
};
