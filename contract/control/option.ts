import * as z from "zod/mini";
import { isAdmin, isRoot, type Role } from "../values/roles";
import { looseList, looseString } from "./wire";

/** A site setting; values are strings on the wire, switches are "true" and "false". */
export interface Option {
  key: string;
  value: string;
}

export const optionWireSchema = z.object({ key: z.string(), value: z.string() });

/** PUT /api/option/: the value must be a JSON string (contract section 1.5). */
export const putOptionBodySchema = z.object({
  key: z.string().check(z.minLength(1), z.maxLength(64)),
  value: z.string().check(z.maxLength(1_000_000)),
});
export type PutOptionBody = z.infer<typeof putOptionBodySchema>;

/**
 * What an administrator may change. Whoever decides about mail, sign-in or this site's own address can become root,
 * whoever decides what newcomers are given can fill accounts, and the chat link is handed every user's key: those
 * settings, and all that no list names, are root's alone. docs/reference/deviations.md says the same to people.
 */
const ADMIN_OPTIONS: ReadonlySet<string> = new Set([
  "TopUpLink",
  "QuotaPerUnit",
  "RetryTimes",
  "DisplayInCurrencyEnabled",
  "DisplayTokenStatEnabled",
  "ApproximateTokenEnabled",
  "ChannelDisableThreshold",
  "QuotaRemindThreshold",
  "AutomaticDisableChannelEnabled",
  "AutomaticEnableChannelEnabled",
  "PreConsumedQuota",
  "ModelRatio",
  "CompletionRatio",
  "GroupRatio",
  "FallbackModelRatio",
  "InterruptionPolicy",
  "InterruptionDrainSeconds",
  "ModelPrice",
  "CacheRatio",
  "CacheBillingEnabled",
  "ServiceTierRatio",
  "ToolPrice",
  "GroupLimits",
  "LogConsumeEnabled",
  "Notice",
  "SystemName",
  "Logo",
  "HomePageContent",
  "About",
  "Footer",
]);

/** Whether this role may change this setting. */
export const mayChangeOption = (role: Role, key: string): boolean =>
  isRoot(role) || (isAdmin(role) && ADMIN_OPTIONS.has(key));

/**
 * Where mails with reset links go through and what their links name, and who says which WeChat account signs in: whoever
 * decides that can sign in as anybody, root included.
 */
const ACCESS_OPTIONS: ReadonlySet<string> = new Set([
  "SMTPServer",
  "SMTPPort",
  "SMTPAccount",
  "SMTPFrom",
  "SMTPToken",
  "ServerAddress",
  "WeChatServerAddress",
  "WeChatServerToken",
]);

/** Whether whoever changes this setting could sign in as another: it takes a sign-in, an access token is not enough. */
export const decidesAccess = (key: string): boolean => ACCESS_OPTIONS.has(key);

const optionReader = z.object({ key: z.string(), value: looseString });

export const readOptions = looseList((item): Option | undefined => {
  const parsed = optionReader.safeParse(item);
  return parsed.success ? parsed.data : undefined;
});
