import { readUser, readUsers, type User } from "@tollgate/contract/management/user";
import type { OperatorApi } from "./operator-api";

/**
 * Finds the user whom somebody typed: by whole name, else by number.
 * @throws Error where there is none.
 */
export const findUser = async (api: OperatorApi, who: string): Promise<User> => {
  const { data } = await api.call({ path: `/api/user/search?keyword=${encodeURIComponent(who)}` });
  const named = readUsers(data).find(({ username }) => username === who);
  if (named) return named;
  if (/^[1-9]\d{0,15}$/.test(who)) {
    const byNumber = readUser((await api.call({ path: `/api/user/${who}` })).data);
    if (byNumber) return byNumber;
  }
  throw new Error(`There is no user ${JSON.stringify(who)}: tollgate user list shows whom there is.`);
};
