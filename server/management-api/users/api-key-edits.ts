import type { ApiKeyEdit } from "@tollgate/accounts/api-keys";
import { parseNetworks } from "@tollgate/accounts/parse-networks";
import {
  type ApiKey,
  type CreateApiKeyBody,
  KEY_SETTINGS,
  MAX_API_KEY_NAME,
  toApiKeyFields,
  type UpdateApiKeyBody,
} from "@tollgate/contract/api/api-keys";
import { pickLimits } from "@tollgate/contract/management/limits";
import type { ApiKeyAccess } from "@tollgate/contract/records/api-key-record";
import type { KeyAction } from "@tollgate/contract/records/audit-record";
import { settingsFromWire } from "@tollgate/contract/resource/settings";
import { AUTO_GROUP, MAX_AUTO_GROUPS } from "@tollgate/contract/values/auto-group";
import {
  TOKEN_DISABLED,
  TOKEN_ENABLED,
  TOKEN_EXHAUSTED,
  TOKEN_EXPIRED,
} from "@tollgate/contract/values/statuses";
import { NEVER } from "@tollgate/contract/values/time";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import type { RouteContext } from "../route";
import type { Services } from "../services";
import { checkLimits, withConflicts } from "../sign-in/account-rules";
import { checkAliases } from "./check-aliases";
import { type BudgetFields, checkAtBudget } from "./check-at-budget";

/* The rules of an edit of a key, which hold for one and for many at once. */

/** @throws Failure where it is too long. */
export const checkName = (name: string): void => {
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

/** Maximum models of a key: each is kept in memory, for up to a thousand keys of a user. */
const MAX_MODELS = 1000;

/**
 * The settings and limits that a body asks for.
 * @param before those that the key has already.
 */
const readAccess = (
  services: Services,
  caller: { groups: readonly string[] },
  body: Partial<CreateApiKeyBody>,
  before?: BudgetFields,
): ApiKeyAccess => {
  const settings = settingsFromWire(KEY_SETTINGS, body);
  if (settings.models && settings.models.length > MAX_MODELS)
    throw new Failure("token-models-too-many", { limit: MAX_MODELS });
  const networks = parseNetworks(settings.subnet ?? "");
  if ("fault" in networks) throw new Failure("token-subnet-invalid", { entry: networks.fault });
  checkGroups(services, caller, settings, before);
  checkAliases(settings.modelAliases ?? "");
  const limits = pickLimits(body);
  checkLimits(before?.limits, limits);
  checkAtBudget(services, caller, { ...settings, limits }, before);
  return { ...settings, limits };
};

/** One of a user's keys, as it is stored. */
export const findOwn = async ({ storage }: Services, userId: number, id: number): Promise<ApiKey> =>
  existing(await storage.read.tokens.find(userId, id));

/** The call of a user that changes keys. */
export type KeyContext = Pick<RouteContext<"user", unknown>, "services" | "caller" | "request">;

/** Records a change of the caller's key: by id, because names change and may repeat. */
export const auditKey = (
  context: KeyContext,
  action: KeyAction,
  id: number,
  detail: Record<string, unknown> = {},
): Promise<void> => audit(context.services, context, action, id, detail, context.caller);

/** Fields that change by themselves or by their own actions, and the secret. */
const UNLISTED: ReadonlySet<string> = new Set(["accessedTime", "formerUntil", "key", "status", "usedQuota"]);

/** The changed fields with their new values; null for a removed one. */
const changedFields = (before: ApiKey, after: ApiKey, edit: ApiKeyEdit): Record<string, unknown> => {
  const old: Record<string, unknown> = toApiKeyFields(before);
  const present: Record<string, unknown> = toApiKeyFields(after);
  const names = [...new Set([...Object.keys(old), ...Object.keys(present)])];
  return Object.fromEntries(
    names
      .filter((name) => !UNLISTED.has(name) && old[name] !== present[name])
      // Requests charge the remaining quota meanwhile.
      .filter((name) => name !== "remainQuota" || edit.remainQuota !== undefined)
      .map((name) => [name, present[name] ?? null]),
  );
};

/** Changes a key. @throws Failure where it is gone or cannot hold so much. */
export const changeKey = async (context: KeyContext, before: ApiKey, edit: ApiKeyEdit): Promise<ApiKey> => {
  const { userId, id } = before;
  const after = existing(await withConflicts(context.services.accounts.keys.change(userId, id, edit)));
  const changed = changedFields(before, after, edit);
  if (Object.keys(changed).length > 0) await auditKey(context, "token.update", id, changed);
  return after;
};

/** Enables or disables a key. @throws Failure */
export const changeStatus = async (
  context: KeyContext,
  token: ApiKey,
  status: number | undefined,
): Promise<ApiKey> => {
  const { accounts, now } = context.services;
  if (status !== TOKEN_ENABLED && status !== TOKEN_DISABLED) throw new Failure("status-invalid");
  if (status === TOKEN_ENABLED) checkEnable(token, now());
  const changed = existing(await accounts.keys.change(token.userId, token.id, { status }));
  if (status !== token.status)
    await auditKey(context, status === TOKEN_ENABLED ? "token.enable" : "token.disable", token.id);
  return changed;
};

/** Deletes the caller's key. @throws Failure for an unknown key. */
export const deleteKey = async (context: KeyContext, id: number): Promise<void> => {
  const { keys } = context.services.accounts;
  const { name } = keys.findById(id) ?? {};
  if (!(await keys.remove(context.caller.id, id))) throw new Failure("record-not-found");
  await auditKey(context, "token.delete", id, { name });
};

/** The fields of an edit, the name aside. @throws Failure */
export const readKeyEdit = (
  services: Services,
  caller: { groups: readonly string[] },
  body: Partial<Omit<UpdateApiKeyBody, "id" | "status" | "name">>,
  before?: BudgetFields,
): ApiKeyEdit => ({
  ...(body.expiredTime === undefined ? {} : { expiredTime: readExpiry(body.expiredTime) }),
  ...(body.unlimitedQuota === undefined ? {} : { unlimitedQuota: body.unlimitedQuota }),
  // A form sends the quota that it showed: usage since then must not be refunded.
  ...(body.remainQuota === body.originalRemainQuota ? {} : { remainQuota: body.remainQuota }),
  access: readAccess(services, caller, body, before),
});

/** A new key of the caller, its name aside. @throws Failure */
export const readNewKey = (
  services: Services,
  caller: { groups: readonly string[] },
  body: CreateApiKeyBody,
) => ({
  createdTime: services.now(),
  expiredTime: readExpiry(body.expiredTime),
  remainQuota: body.remainQuota ?? 0,
  unlimitedQuota: body.unlimitedQuota ?? false,
  ...readAccess(services, caller, body),
});
