import { MAX_KEYS_PER_USER } from "@tollgate/accounts/api-keys";
import {
  API_KEY_FILTERS,
  API_KEY_SORTS,
  type ApiKey,
  changeApiKey,
  createApiKey,
  deleteApiKey,
  endFormerKey,
  getApiKey,
  listApiKeys,
  rotateApiKey,
  searchApiKeys,
} from "@tollgate/contract/api/api-keys";
import { getApiKeySummary, listApiKeysOfUser } from "@tollgate/contract/api/user-api-keys";
import { existing, Failure } from "../failure";
import { implement, readFilter, readListPage } from "../route";
import type { Services } from "../services";
import { readFoundPart, readLimit, truncateResults } from "../truncate-results";
import { changeKey, changeStatus, checkName, findOwn, readKeyEdit, readNewKey } from "./api-key-edits";
import { findVisibleKey, findVisibleUser } from "./find-visible-user";

/** Maximum keys of a search; only users from before this limit have more. */
const MAX_FOUND = 1000;

const readPageOfKeys = (
  { storage }: Services,
  userId: number,
  query: Record<string, string>,
): Promise<ApiKey[]> =>
  storage.read.tokens.page(userId, ...readListPage(query, API_KEY_SORTS), readFilter(query, API_KEY_FILTERS));

/** API keys, always the caller's own (contract section 1.7). Administrators see others' keys without the secrets. */
export const apiKeyRoutes = [
  implement(listApiKeys, ({ services, caller, query }) => readPageOfKeys(services, caller.id, query)),

  implement(listApiKeysOfUser, ({ services, caller, query, params }) =>
    readPageOfKeys(services, findVisibleUser(services, caller, params.id).id, query),
  ),

  implement(searchApiKeys, async ({ services, caller, query, reply }) => {
    const limit = readLimit(query, MAX_FOUND);
    const found = await services.storage.read.tokens.page(
      caller.id,
      ...readFoundPart(query, API_KEY_SORTS, limit),
      readFilter(query, API_KEY_FILTERS),
      query.keyword,
    );
    return truncateResults(found, limit, reply);
  }),

  implement(getApiKey, ({ services, caller, params }) => findOwn(services, caller.id, params.id)),

  implement(getApiKeySummary, async ({ services, caller, params }) => {
    const { user } = findVisibleKey(services, caller, params.id);
    return { ...(await findOwn(services, user.id, params.id)), username: user.username };
  }),

  implement(createApiKey, async ({ services, caller, body }) => {
    checkName(body.name);
    const isCreated = await services.accounts.keys.create({
      userId: caller.id,
      name: body.name,
      ...readNewKey(services, caller, body),
    });
    if (!isCreated) throw new Failure("token-too-many", { limit: MAX_KEYS_PER_USER });
    return undefined;
  }),

  implement(changeApiKey, async ({ services, caller, body, query }) => {
    const token = await findOwn(services, caller.id, body.id);
    if (query.status_only !== undefined && query.status_only !== "")
      return changeStatus(services, token, body.status);
    if (body.name !== undefined) checkName(body.name);
    return changeKey(services, token, {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...readKeyEdit(services, caller, body, token),
    });
  }),

  implement(rotateApiKey, async ({ services, caller, params, body }) =>
    existing(await services.accounts.keys.rotate(caller.id, params.id, body.former_seconds ?? 0)),
  ),

  implement(endFormerKey, async ({ services, caller, params }) =>
    existing(await services.accounts.keys.endFormer(caller.id, params.id)),
  ),

  implement(deleteApiKey, async ({ services, caller, params }) => {
    if (!(await services.accounts.keys.remove(caller.id, params.id))) throw new Failure("record-not-found");
    return undefined;
  }),
];
