import { wholeSum } from "../sql/whole-sum";
import type { ExaminedData } from "./examined-data";
import type { FoundFaults } from "./found-faults";
import { addTo } from "./waiting-entries";

interface UserRow {
  id: number;
  username: string;
  used_quota: number;
  unlogged_quota: number;
}

/**
 * Cost of each user's requests: as the log and the entries on their way there have it, with the refunds, which lower it
 * there and not what was settled.
 */
const loggedQuotas = async ({ main, log, waiting }: ExaminedData): Promise<Map<number, number>> => {
  const logged = new Map(waiting.quotaOfUsers);
  const sums = log.pages<{ id: number; quota: number }>(
    `SELECT payers.user_id AS id, ${wholeSum("payer_hours.quota")} AS quota
     FROM payer_hours JOIN payers ON payers.id = payer_hours.payer_id GROUP BY payers.user_id`,
  );
  for await (const page of sums) for (const { id, quota } of page) addTo(logged, id, quota);
  const refunds = main.pages<{ id: number; quota: number }>(
    `SELECT user_id AS id, ${wholeSum("quota")} AS quota FROM request_refunds GROUP BY user_id`,
  );
  for await (const page of refunds) for (const { id, quota } of page) addTo(logged, id, quota);
  return logged;
};

/** Everything that was settled is in the log; the other rules of balances are rules of money (money-rules.ts). */
export const checkBalances = async (
  data: ExaminedData,
  found: FoundFaults,
): Promise<{ users: number; tokens: number }> => {
  const logged = await loggedQuotas(data);
  let users = 0;
  const rows = data.main.pages<UserRow>(
    "SELECT id, username, used_quota, unlogged_quota FROM users ORDER BY id",
  );
  for await (const page of rows) {
    users += page.length;
    for (const { id: user, username, used_quota: used, unlogged_quota: unlogged } of page) {
      const explained = unlogged + (logged.get(user) ?? 0);
      if (used !== explained) found.add({ code: "user-use", user, username, used, logged: explained });
    }
  }
  const [keys] = await data.main.all<{ count: number }>("SELECT count(*) AS count FROM tokens");
  return { users, tokens: keys?.count ?? 0 };
};
