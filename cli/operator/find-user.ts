import type { User } from "@tollgate/contract/api/user";
import { getUser, listUsers, searchUsers } from "@tollgate/contract/api/users";
import { callEndpoint, type OperatorApi, OperatorRefused } from "./operator-api";
import { readPages } from "./read-pages";

const findByName = async (api: OperatorApi, name: string): Promise<User | undefined> => {
  const isIt = ({ username }: User): boolean => username === name;
  const found = await callEndpoint(api, searchUsers, { query: { keyword: name } });
  // A search finds beginnings, and not all of them: many may have names that begin as this one.
  return found.find(isIt) ?? (found.length > 0 ? (await readPages(api, listUsers)).find(isIt) : undefined);
};

const findByNumber = async (api: OperatorApi, id: string): Promise<User | undefined> => {
  try {
    return await callEndpoint(api, getUser, { params: { id } });
  } catch (error) {
    // Whatever else is wrong is said by the search for a name that follows, and by the call that is to be made.
    if (error instanceof OperatorRefused) return undefined;
    throw error;
  }
};

/**
 * Finds a user by whole name, or by number, which "#" before it makes certain.
 * @throws Error for an unknown user, or when two match: people choose their names, also "1".
 */
export const findUser = async (api: OperatorApi, who: string): Promise<User> => {
  const [, hash, id] = /^(#?)([1-9]\d{0,15})$/.exec(who) ?? [];
  const numbered = id === undefined ? undefined : await findByNumber(api, id);
  const named = hash === "#" ? undefined : await findByName(api, who);
  if (named && numbered && named.id !== numbered.id)
    throw new Error(
      `${JSON.stringify(who)} is the name of user ${named.id} and the number of ${numbered.username}: say #${named.id} or #${id}.`,
    );
  const user = named ?? numbered;
  if (user) return user;
  throw new Error(`There is no user ${JSON.stringify(who)}: tollgate user list shows whom there is.`);
};
