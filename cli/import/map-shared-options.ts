import { isSecretOption } from "@tollgate/contract/options/option-rights";
import { entryOf, isOptionKey } from "@tollgate/contract/options/options";
import type { ImportedOption } from "@tollgate/contract/records/imported-records";
import { Failure } from "@tollgate/server/management-api/failure";
import { checkOption } from "@tollgate/server/state/options";
import { RATE_LIMIT } from "./map-group-options";
import { type AddRemark, LONGEST_VALUE } from "./mapped";
import { PRICE_OPTIONS } from "./price-tables";
import type { OptionRow } from "./source-rows";

/** Options of the source that mean something, and nothing that could be said here; a name that ends in "." stands for all that begin so. */
const NO_EQUAL: readonly string[] = [
  "Theme",
  "MessagePusherAddress",
  "MessagePusherToken",
  "PayAddress",
  "CustomCallbackAddress",
  "EpayId",
  "EpayKey",
  "Stripe",
  "Creem",
  "Waffo",
  "PayMethods",
  "Price",
  "MinTopUp",
  "USDExchangeRate",
  "TopupGroupRatio",
  "DefaultUseAutoGroup",
  "SensitiveWords",
  "CheckSensitive",
  "StopOnSensitive",
  "AutomaticDisableKeywords",
  "AutomaticDisableStatusCodes",
  "AutomaticRetryStatusCodes",
  "ImageCompletionRatio",
  "ExposeRatioEnabled",
  "SelfUseModeEnabled",
  "DemoSiteEnabled",
  "DataExport",
  "DrawingEnabled",
  "TaskEnabled",
  "Mj",
  "DefaultCollapseSidebar",
  "SidebarModulesAdmin",
  "HeaderNavModules",
  "WorkerUrl",
  "WorkerValidKey",
  "WorkerAllowHttpImageRequestEnabled",
  "TelegramBot",
  "TelegramOAuthEnabled",
  "LinuxDO",
  "Lark",
  "OidcEnabled",
  "OidcClientId",
  "OidcClientSecret",
  "OidcWellKnown",
  "OidcAuthorizationEndpoint",
  "OidcTokenEndpoint",
  "OidcUserinfoEndpoint",
  "SMTPSSLEnabled",
  "EmailAliasRestrictionEnabled",
  "StreamCacheQueueLength",
  RATE_LIMIT,
  "billing_setting.",
  "general_setting.",
  "group_ratio_setting.topup_group_ratio",
  "oidc.",
  "discord.",
  "passkey.",
  "claude.",
  "gemini.",
  "grok.",
  "global.",
  "console_setting.",
  "monitor_setting.",
  "performance_setting.",
  "fetch_setting.",
  "quota_setting.",
  "checkin_setting.",
  "attachment_setting.",
  "legal.",
  "tool_price_setting.",
  "model_deployment.",
  "theme.",
];

const hasNoEqual = (key: string): boolean => NO_EQUAL.some((each) => key.startsWith(each));

/** Whether an option has the same meaning here as in the source: one-api's own, by their names. */
const isShared = (key: string): boolean =>
  isOptionKey(key) && !PRICE_OPTIONS.has(key) && entryOf(key)?.isExtra !== true;

/** Options that are taken over as they are, each checked as if a person had typed it; switches last, because some need others. */
export const mapShared = (
  rows: readonly OptionRow[],
  mapped: ReadonlySet<string>,
  addRemark: AddRemark,
): ImportedOption[] => {
  const taken = new Map<string, ImportedOption>();
  const isSwitch = ({ key }: OptionRow): boolean => entryOf(key)?.type === "switch";
  for (const { key, value = "" } of [...rows].sort((a, b) => Number(isSwitch(a)) - Number(isSwitch(b)))) {
    if (!isShared(key)) {
      if (PRICE_OPTIONS.has(key) || mapped.has(key)) continue;
      if (value.trim() === "" || value === "false" || value === "{}" || value === "[]") continue;
      addRemark(key, "left-out", hasNoEqual(key) ? "option-no-equal" : "option-unknown");
      continue;
    }
    if (value === "") continue;
    try {
      if (value.length > LONGEST_VALUE) throw new Failure("option-text-invalid", { key });
      checkOption(key, value, (other) => taken.get(other)?.value ?? "");
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      addRemark(key, "left-out", "option-refused", { reason: error.key });
      continue;
    }
    const isSecret = isSecretOption(key);
    if (isSecret) addRemark(key, "noted", "option-secret");
    taken.set(key, { key, value, isSecret });
  }
  return [...taken.values()];
};
