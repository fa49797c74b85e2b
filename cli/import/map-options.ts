import { OPTIONS } from "@tollgate/contract/options/options";
import type { ImportedOption } from "@tollgate/contract/records/imported-records";
import { formatDecimal, roundDown } from "@tollgate/contract/values/decimal";
import { ANNOUNCEMENT_OPTIONS, mapAnnouncements } from "./map-announcements";
import { CHATS, mapChats } from "./map-chats";
import { DISPLAY_OPTIONS, mapDisplayCurrency } from "./map-display-currency";
import { GROUP_CHOICE, mapGroupChoice, mapGroups, mapLimits } from "./map-group-options";
import { mapPasskeyOptions, PASSKEY_OPTIONS } from "./map-passkeys";
import { mapPrices, wantedPrices } from "./map-prices";
import { mapShared } from "./map-shared-options";
import type { AddRemark, MappedOptions, OptionsContext } from "./mapped";
import type { Origin, Series } from "./origin";
import { type PriceTables, readPriceTables } from "./price-tables";
import type { Remark } from "./remarks";
import type { OptionRow } from "./source-rows";

/** Options of new-api that are mapped by themselves. */
const NEW_API_MAPPED: ReadonlySet<string> = new Set([
  ...Object.values(GROUP_CHOICE).flat(),
  ...ANNOUNCEMENT_OPTIONS,
  CHATS,
  ...DISPLAY_OPTIONS,
  ...PASSKEY_OPTIONS,
]);

/** QuotaPerUnit as it is written, where it is another than the usual one and can be used. */
const mapQuotaPerUnit = (
  rows: readonly OptionRow[],
  tables: PriceTables,
  addRemark: AddRemark,
): ImportedOption[] => {
  const key = "QuotaPerUnit";
  const written = rows.find((row) => row.key === key)?.value;
  const value = formatDecimal(tables.quotaPerUnit);
  const { min, max } = OPTIONS[key];
  const whole = roundDown(tables.quotaPerUnit);
  if (written !== undefined && (Number(written) !== Number(value) || whole < min || whole > max)) {
    addRemark(key, "left-out", "option-refused", { reason: "option-number-invalid" });
    return [];
  }
  return written === undefined ? [] : [{ key, value, isSecret: false }];
};

/** Ratios that the sources' code charges for models without a price; new-api does so in self-use mode only. */
const FALLBACK_RATIOS = { "one-api": "30", "new-api": "37.5" } as const;

/** @returns the ratio for models without a price, where the operator asked for it or the source itself had switched it on. */
const mapFallback = (
  series: Series,
  rows: readonly OptionRow[],
  remarks: readonly Remark[],
  decision: OptionsContext["missingPrices"],
): string | undefined => {
  if (!remarks.some(({ code }) => code === "price-missing")) return undefined;
  const isSelfUse = rows.some(({ key, value }) => key === "SelfUseModeEnabled" && value === "true");
  if (decision !== "fallback" && (decision === "refuse" || !isSelfUse)) return undefined;
  return FALLBACK_RATIOS[series === "new-api" ? "new-api" : "one-api"];
};

/**
 * Maps options of the source: its prices as the option ModelPrice, groups, limits, and the options that both have.
 * Prices are written in money, which can express all of them; a model that the database does not price has the
 * catalogue's price, because the price in the source's code is not in its database (`pricing` has it).
 */
export const mapOptions = (
  rows: readonly OptionRow[],
  { series }: Origin,
  context: OptionsContext,
): MappedOptions => {
  const { tables, remarks: read } = readPriceTables(series, rows, context.pricing);
  const remarks: Remark[] = [...read];
  const addRemark: AddRemark = (id, effect, code, values = {}) => {
    remarks.push({ table: "options", effect, code, id, values });
  };
  const isNewApi = series === "new-api";
  const groups = mapGroups(tables, context, addRemark);
  const display = isNewApi ? mapDisplayCurrency(rows, addRemark) : { options: [], replaced: [] };
  const others = rows.filter(({ key }) => !display.replaced.includes(key));
  const options = [
    ...mapQuotaPerUnit(rows, tables, addRemark),
    groups.option,
    ...mapPrices(series, tables, wantedPrices(series, context.channels), context.priceDecision, addRemark),
    ...(isNewApi
      ? [
          ...mapLimits(rows, groups.names, addRemark),
          ...mapGroupChoice(rows, addRemark),
          ...mapChats(rows, addRemark),
          ...mapPasskeyOptions(rows, addRemark),
        ]
      : []),
    ...display.options,
    ...mapShared(others, isNewApi ? NEW_API_MAPPED : new Set(), addRemark),
  ];
  const announcements = isNewApi ? mapAnnouncements(rows, addRemark) : [];
  if (!isNewApi) {
    // Neither version of it knows a price of cached tokens.
    options.push({ key: "CacheBillingEnabled", value: "false", isSecret: false });
    addRemark("CacheBillingEnabled", "noted", "cache-billing-off");
  }
  const fallback = mapFallback(series, rows, remarks, context.missingPrices);
  if (fallback) {
    options.push({ key: "FallbackModelRatio", value: fallback, isSecret: false });
    addRemark("FallbackModelRatio", "noted", "price-fallback", { ratio: fallback });
  }
  return { options, announcements, remarks, quotaPerUnit: Number(formatDecimal(tables.quotaPerUnit)) };
};
