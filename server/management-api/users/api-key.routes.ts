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
import {
  findApiKeys,
  getApiKeySummary,
  listApiKeysOfUser,
  MAX_FOUND_KEYS,
} from "@tollgate/contract/api/user-api-keys";
import { existing, Failure } from "../failure";
import { implement, readFilter, readListPage } from "../route";
import type { Services } from "../services";
import { checkTermsAccepted } from "../site/terms";
import { readFoundPart, readLimit, truncateResults } from "../truncate-results";
import {
  auditKey,
  changeKey,
  changeStatus,
  checkName,
  deleteKey,
  findOwn,
  readKeyEdit,
  readNewKey,
} from "./api-key-edits";
import { findKeys } from "./find-keys";
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

  implement(findApiKeys, ({ services, caller, query }) =>
    findKeys(services, caller, query.keyword ?? "", readLimit(query, MAX_FOUND_KEYS)),
  ),

  implement(getApiKey, ({ services, caller, params }) => findOwn(services, caller.id, params.id)),

  implement(getApiKeySummary, async ({ services, caller, params }) => {
    const { user } = findVisibleKey(services, caller, params.id);
    return { ...(await findOwn(services, user.id, params.id)), username: user.username };
  }),

  implement(createApiKey, async (context) => {
    const { services, caller, body } = context;
    checkName(body.name);
    await checkTermsAccepted(services, caller);
    const id = await services.accounts.keys.create({
      userId: caller.id,
      name: body.name,
      ...readNewKey(services, caller, body),
    });
    if (id === undefined) throw new Failure("token-too-many", { limit: MAX_KEYS_PER_USER });
    await auditKey(context, "token.create", id, { name: body.name });
    return undefined;
  }),

  implement(changeApiKey, async (context) => {
    const { services, caller, body, query } = context;
    const token = await findOwn(services, caller.id, body.id);
    if (query.status_only !== undefined && query.status_only !== "")
      return changeStatus(context, token, body.status);
    if (body.name !== undefined) checkName(body.name);
    return changeKey(context, token, {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...readKeyEdit(services, caller, body, token),
    });
  }),

  implement(rotateApiKey, async (context) => {
    const { services, caller, params, body } = context;
    const seconds = body.former_seconds ?? 0;
    const rotated = existing(await services.accounts.keys.rotate(caller.id, params.id, seconds));
    await auditKey(context, "token.rotate", params.id, { formerUntil: rotated.formerUntil });
    return rotated;
  }),

  implement(endFormerKey, async (context) => {
    const { services, caller, params } = context;
    const ended = existing(await services.accounts.keys.endFormer(caller.id, params.id));
    await auditKey(context, "token.end-former", params.id);
    return ended;
  }),

  implement(deleteApiKey, async (context) => {
    await deleteKey(context, context.params.id);
    return undefined;
  }),
];
