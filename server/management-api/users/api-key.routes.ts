import { type ApiKeyEdit, MAX_KEYS_PER_USER } from "@tollgate/accounts/api-keys";
import { parseNetworks } from "@tollgate/accounts/parse-networks";
import {
  API_KEY_FILTERS,
  API_KEY_SORTS,
  type ApiKey,
  type CreateApiKeyBody,
  changeApiKey,
  createApiKey,
  deleteApiKey,
  endFormerKey,
  getApiKey,
  KEY_SETTINGS,
  listApiKeys,
  MAX_API_KEY_NAME,
  rotateApiKey,
  searchApiKeys,
} from "@tollgate/contract/api/api-keys";
import { getApiKeySummary, listApiKeysOfUser } from "@tollgate/contract/api/user-api-keys";
import { pickLimits } from "@tollgate/contract/management/limits";
import type { ApiKeyAccess } from "@tollgate/contract/records/api-key-record";
import { settingsFromWire } from "@tollgate/contract/resource/settings";
import { AUTO_GROUP, MAX_AUTO_GROUPS } from "@tollgate/contract/values/auto-group";
import {
  TOKEN_DISABLED,
  TOKEN_ENABLED,
  TOKEN_EXHAUSTED,
  TOKEN_EXPIRED,
} from "@tollgate/contract/values/statuses";
import { NEVER } from "@tollgate/contract/values/time";
import { existing, Failure } from "../failure";
import { implement, readFilter, readListPage } from "../route";
import type { Services } from "../services";
import { withConflicts } from "../sign-in/account-rules";
import { readFoundPart, readLimit, truncateResults } from "../truncate-results";
import { findVisibleKey, findVisibleUser } from "./find-visible-user";

/** Maximum keys of a search; only users from before this limit have more. */
const MAX_FOUND = 1000;

const checkName = (name: string): void => {
  if ([...name].length > MAX_API_KEY_NAME) throw new Failure("token-name-too-long");
};

/** 0 and absence mean never; a moment must be after 1970. */
const readExpiry = (expiry: number | undefined): number => {
  if (expiry === undefined || expiry === 0 || expiry === NEVER) return NEVER;
  if (expiry < 0) throw new Failure("invalid-parameter").at("expired_time");
  return expiry;
};

/** A key that stopped by itself can be switched on again only when the reason is gone (contract section 1.7). */
const checkEnable = (token: ApiKey, now: number): void => {
  if (token.status === TOKEN_EXPIRED && token.expiredTime !== NEVER && token.expiredTime <= now) {
    throw new Failure("token-expired-cannot-enable");
  }
  if (token.status === TOKEN_EXHAUSTED && token.remainQuota <= 0 && !token.unlimitedQuota) {
    throw new Failure("token-exhausted-cannot-enable");
  }
};

type Groups = Pick<ApiKeyAccess, "group" | "autoGroups">;

/**
 * Checks that a user may use a key's requested groups.
 * @param before the key's current groups, which clients send back with the whole token.
 */
const checkGroups = (
  { groupAccess }: Services,
  { groups }: { groups: readonly string[] },
  { group, autoGroups }: Groups,
  before?: Groups,
): void => {
  const usable = groupAccess.usableBy(groups);
  const isFree = group === undefined || group === "" || group === AUTO_GROUP || group === before?.group;
  if (!isFree && !usable.has(group)) throw new Failure("token-group-not-allowed", { group });
  if (autoGroups && autoGroups.length > MAX_AUTO_GROUPS)
    throw new Failure("token-auto-groups-too-many", { limit: MAX_AUTO_GROUPS });
  const other = autoGroups?.find((each) => !usable.has(each) && !before?.autoGroups?.includes(each));
  if (other !== undefined) throw new Failure("token-group-not-allowed", { group: other }).at("auto_groups");
};

/**
 * The settings and limits that a body asks for.
 * @param before those that the key has already.
 */
const readAccess = (
  services: Services,
  caller: { groups: readonly string[] },
  body: Partial<CreateApiKeyBody>,
  before?: Groups,
): ApiKeyAccess => {
  const settings = settingsFromWire(KEY_SETTINGS, body);
  const networks = parseNetworks(settings.subnet ?? "");
  if ("fault" in networks) throw new Failure("token-subnet-invalid", { entry: networks.fault });
  checkGroups(services, caller, settings, before);
  return { ...settings, limits: pickLimits(body) };
};

const findOwn = async ({ storage }: Services, userId: number, id: number): Promise<ApiKey> =>
  existing(await storage.read.tokens.find(userId, id));

const change = async ({ accounts }: Services, { userId, id }: ApiKey, edit: ApiKeyEdit): Promise<ApiKey> =>
  existing(await withConflicts(accounts.keys.change(userId, id, edit)));

const changeStatus = (services: Services, token: ApiKey, status: number | undefined): Promise<ApiKey> => {
  if (status !== TOKEN_ENABLED && status !== TOKEN_DISABLED) throw new Failure("status-invalid");
  if (status === TOKEN_ENABLED) checkEnable(token, services.now());
  return change(services, token, { status });
};

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
    const access = readAccess(services, caller, body);
    const expiredTime = readExpiry(body.expiredTime);
    const isCreated = await services.accounts.keys.create({
      userId: caller.id,
      name: body.name,
      createdTime: services.now(),
      expiredTime,
      remainQuota: body.remainQuota ?? 0,
      unlimitedQuota: body.unlimitedQuota ?? false,
      ...access,
    });
    if (!isCreated) throw new Failure("token-too-many", { limit: MAX_KEYS_PER_USER });
    return undefined;
  }),

  implement(changeApiKey, async ({ services, caller, body, query }) => {
    const token = await findOwn(services, caller.id, body.id);
    if (query.status_only !== undefined && query.status_only !== "")
      return changeStatus(services, token, body.status);
    if (body.name !== undefined) checkName(body.name);
    return change(services, token, {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.expiredTime === undefined ? {} : { expiredTime: readExpiry(body.expiredTime) }),
      ...(body.unlimitedQuota === undefined ? {} : { unlimitedQuota: body.unlimitedQuota }),
      ...(body.remainQuota === undefined ? {} : { remainQuota: body.remainQuota }),
      access: readAccess(services, caller, body, token),
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
