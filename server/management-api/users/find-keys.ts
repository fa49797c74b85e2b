import type { ApiKey } from "@tollgate/accounts/api-keys";
import type { FoundKey } from "@tollgate/contract/api/user-api-keys";
import { ROLE_ROOT, type Role } from "@tollgate/contract/values/roles";
import { yieldToOthers } from "../../yield-to-others";
import type { Services } from "../services";

/** Keys compared without a pause: a millisecond or two. */
const PIECE = 10_000;

/**
 * Searches the keys of all users that the caller may see, in memory, because storage has no index over all names.
 * @param keyword an id, or the beginning of a key's or a user's name, in any case; "" finds nothing.
 * @returns the newest first; a key with this id before all others.
 */
export const findKeys = async (
  { accounts }: Pick<Services, "accounts">,
  caller: { id: number; role: Role },
  keyword: string,
  limit: number,
): Promise<FoundKey[]> => {
  const wanted = keyword.trim().toLowerCase();
  if (wanted === "") return [];
  const isVisible = ({ user }: ApiKey) =>
    user.id === caller.id || caller.role >= ROLE_ROOT || user.role < caller.role;
  const isNamed = ({ name, user }: ApiKey) =>
    name.toLowerCase().startsWith(wanted) || user.username.toLowerCase().startsWith(wanted);
  const found: ApiKey[] = [];
  let compared = 0;
  for (const key of accounts.keys.all()) {
    compared += 1;
    if (compared % PIECE === 0) await yieldToOthers();
    if ((String(key.id) === wanted || isNamed(key)) && isVisible(key)) found.push(key);
  }
  const rank = ({ id }: ApiKey) => (String(id) === wanted ? Number.POSITIVE_INFINITY : id);
  return found
    .sort((one, other) => rank(other) - rank(one))
    .slice(0, limit)
    .map(({ id, name, status, user }) => ({ id, name, status, userId: user.id, username: user.username }));
};
