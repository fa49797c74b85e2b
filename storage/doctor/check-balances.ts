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

const checkUser = (user: UserRow, logged: number): string[] => {
  const who = `user ${user.id} (${user.username})`;
  const faults: string[] = [];
  if (user.quota < 0) faults.push(`${who}: the balance is ${user.quota}, below zero`);
  const due = user.granted_quota - user.used_quota;
  if (user.quota !== due) {
    faults.push(
      `${who}: the balance is ${user.quota}, but granted ${user.granted_quota} − used ${user.used_quota} = ${due}`,
    );
  }
  const explained = user.unlogged_quota + logged;
  if (user.used_quota !== explained) {
    faults.push(`${who}: used ${user.used_quota}, but the log accounts for ${explained}`);
  }
  return faults;
};

const checkToken = (token: TokenRow): string[] => {
  const which = `key ${token.id} (${token.name}) of user ${token.user_id}`;
  const faults: string[] = [];
  if (token.remain_quota < 0) faults.push(`${which}: the balance is ${token.remain_quota}, below zero`);
  const due = token.granted_quota - token.taken_quota;
  if (token.remain_quota !== due) {
    faults.push(
      `${which}: the balance is ${token.remain_quota}, but granted ${token.granted_quota} − taken ${token.taken_quota} = ${due}`,
    );
  }
  const explained = token.taken_quota + token.untaken_quota;
  if (token.untaken_quota < 0) faults.push(`${which}: more was taken from it than it used`);
  else if (token.used_quota !== explained) {
    faults.push(
      `${which}: used ${token.used_quota}, but taken ${token.taken_quota} + charged to the user alone ${token.untaken_quota} = ${explained}`,
    );
  }
  return faults;
};

/** Every balance is what was granted less what was settled, and everything settled is in the log. */
export const checkBalances = (snapshot: Snapshot): { users: number; tokens: number; faults: string[] } => {
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
