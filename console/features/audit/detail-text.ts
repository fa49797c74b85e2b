import { formatMoney } from "@tollgate/contract/payments/currencies";
import { tryParseJson } from "@tollgate/contract/values/parse-json";
import { NEVER } from "@tollgate/contract/values/time";
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
  "remainQuota",
  "taken",
  "weeklyQuota",
  "windowQuota",
]);

/** Unix seconds; 0 means never or immediately, and stays a number. */
const TIMES: ReadonlySet<string> = new Set([
  "at",
  "endsAt",
  "expiredTime",
  "expired_time",
  "formerUntil",
  "holds_from",
  "startsAt",
]);

/** Texts of details, in the language of the page. */
export interface DetailWords {
  /** Returns the label of a field, or its raw name. */
  fieldText: (name: string) => string;
  yes: string;
  no: string;
  never: string;
  removed: string;
}

const valueText = (name: string, value: unknown, currency: unknown, words: DetailWords): string => {
  if (typeof value === "string") return value;
  if (value === null) return words.removed;
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (typeof value !== "number") return JSON.stringify(value);
  if (QUOTAS.has(name)) return exactQuota(value);
  if (TIMES.has(name)) return value === NEVER ? words.never : formatTime(value) || String(value);
  // Minor units of the currency that is stored beside it.
  return name === "amount" && typeof currency === "string" ? formatMoney(value, currency) : String(value);
};

/** The details in one line of text, with amounts as money and times as dates: `Quota: $0.50, Status: 2`. */
export const detailText = (detail: string, words: DetailWords): string => {
  const read = tryParseJson(detail);
  if (typeof read !== "object" || read === null) return detail;
  const currency = "currency" in read ? read.currency : undefined;
  return Object.entries(read)
    .filter(([name]) => name !== "currency" || !("amount" in read))
    .map(([name, value]) => `${words.fieldText(name)}: ${valueText(name, value, currency, words)}`)
    .join(", ");
};
