import { formatMoney } from "@tollgate/contract/payments/currencies";
import { tryParseJson } from "@tollgate/contract/values/parse-json";
import { exactQuota } from "../../lib/exact-quota";
import { formatTime } from "../../lib/format";

const QUOTAS: ReadonlySet<string> = new Set([
  "dailyQuota",
  "fiveHourQuota",
  "given_back",
  "missing",
  "monthlyQuota",
  "price",
  "quota",
  "taken",
  "weeklyQuota",
  "windowQuota",
]);

/** Unix seconds; 0 means never or immediately, and stays a number. */
const TIMES: ReadonlySet<string> = new Set(["at", "endsAt", "expired_time", "holds_from", "startsAt"]);

const valueText = (name: string, value: unknown, currency: unknown): string => {
  if (typeof value === "string") return value;
  if (typeof value !== "number") return JSON.stringify(value);
  if (QUOTAS.has(name)) return exactQuota(value);
  if (TIMES.has(name)) return formatTime(value) || String(value);
  // Minor units of the currency that is stored beside it.
  return name === "amount" && typeof currency === "string" ? formatMoney(value, currency) : String(value);
};

/** The details in one line of text, with amounts as money and times as dates: `quota: $0.50, status: 2`. */
export const detailText = (detail: string): string => {
  const read = tryParseJson(detail);
  if (typeof read !== "object" || read === null) return detail;
  const currency = "currency" in read ? read.currency : undefined;
  return Object.entries(read)
    .filter(([name]) => name !== "currency" || !("amount" in read))
    .map(([name, value]) => `${name}: ${valueText(name, value, currency)}`)
    .join(", ");
};
