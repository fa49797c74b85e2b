import type { DataFault } from "../errors";
import type { Snapshot } from "./snapshot";

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

/** What each user's requests cost, as the log file and what is on its way there say. */
const loggedQuotas = ({ log, waiting }: Snapshot): Map<number, number> => {
  const logged = new Map<number, number>();
  const add = (userId: number, quota: number): void => {
    logged.set(userId, (logged.get(userId) ?? 0) + quota);
  };
  const sums = log
    .prepare(
      `SELECT payers.user_id AS userId, sum(payer_hours.quota) AS quota
       FROM payer_hours JOIN payers ON payers.id = payer_hours.payer_id GROUP BY payers.user_id`,
    )
    .all() as { userId: number; quota: number }[];
  for (const { userId, quota } of sums) add(userId, quota);
  for (const entry of waiting) add(entry.userId, entry.quota);
  return logged;
};

const checkUser = (row: UserRow, logged: number): DataFault[] => {
  const { quota: balance, granted_quota: granted, used_quota: used } = row;
  const who = { user: row.id, username: row.username };
  const faults: DataFault[] = [];
  if (balance < 0) faults.push({ code: "user-below-zero", ...who, balance });
  const due = granted - used;
  if (balance !== due) faults.push({ code: "user-balance", ...who, balance, granted, used, due });
  const explained = row.unlogged_quota + logged;
  if (used !== explained) faults.push({ code: "user-use", ...who, used, logged: explained });
  return faults;
};

const checkToken = (row: TokenRow): DataFault[] => {
  const { remain_quota: balance, granted_quota: granted, taken_quota: taken, untaken_quota: untaken } = row;
  const which = { key: row.id, name: row.name, user: row.user_id };
  const faults: DataFault[] = [];
  if (balance < 0) faults.push({ code: "key-below-zero", ...which, balance });
  const due = granted - taken;
  if (balance !== due) faults.push({ code: "key-balance", ...which, balance, granted, taken, due });
  const explained = taken + untaken;
  if (untaken < 0) faults.push({ code: "key-overtaken", ...which });
  else if (row.used_quota !== explained)
    faults.push({ code: "key-use", ...which, used: row.used_quota, taken, untaken, due: explained });
  return faults;
};

/** Every balance is what was granted less what was settled, and everything settled is in the log. */
export const checkBalances = (snapshot: Snapshot): { users: number; tokens: number; faults: DataFault[] } => {
  const logged = loggedQuotas(snapshot);
  const users = snapshot.main.prepare("SELECT * FROM users ORDER BY id").all() as UserRow[];
  const tokens = snapshot.main.prepare("SELECT * FROM tokens ORDER BY id").all() as TokenRow[];
  return {
    users: users.length,
    tokens: tokens.length,
    faults: [
      ...users.flatMap((user) => checkUser(user, logged.get(user.id) ?? 0)),
      ...tokens.flatMap(checkToken),
    ],
  };
};
