import { readGroups } from "@tollgate/contract/management/group";
import type { OptionKey } from "@tollgate/contract/options/options";
import type { ImportedOption } from "@tollgate/contract/records/imported-records";
import { formatDecimal, ONE } from "@tollgate/contract/values/decimal";
import { readArray } from "@tollgate/protocols/shared/json/json-values";
import { Failure } from "@tollgate/server/management-api/failure";
import { checkOption } from "@tollgate/server/state/options";
import type { AddRemark, OptionsContext } from "./mapped";
import type { PriceTables } from "./price-tables";
import { readObject, readTexts } from "./read-json";
import type { OptionRow } from "./source-rows";

/** Every group that users or channels have is one that there is: without a ratio it was charged 1, and is. */
export const mapGroups = (
  tables: PriceTables,
  { channels, groups }: OptionsContext,
  addRemark: AddRemark,
): { option: ImportedOption; names: string[] } => {
  const ratios = new Map<string, number>();
  const stored = tables.groupRatio ?? new Map(["default", "vip", "svip"].map((name) => [name, ONE] as const));
  for (const [name, ratio] of stored) ratios.set(name, Number(formatDecimal(ratio)));
  const used = new Set([...groups, ...channels.flatMap(({ group }) => readGroups(group))]);
  for (const name of used) {
    if (name === "" || ratios.has(name)) continue;
    ratios.set(name, 1);
    addRemark("GroupRatio", "changed", "group-added", { group: name });
  }
  const value = JSON.stringify(Object.fromEntries(ratios));
  return { option: { key: "GroupRatio", value, isSecret: false }, names: [...ratios.keys()] };
};

/** new-api's options of the groups that keys may choose, and their names here; its newer names have a prefix. */
export const GROUP_CHOICE = {
  GroupGroupRatio: ["GroupGroupRatio", "group_ratio_setting.group_group_ratio"],
  UserUsableGroups: ["UserUsableGroups", "group_ratio_setting.user_usable_groups"],
  GroupUsableGroups: ["group_ratio_setting.group_special_usable_group"],
  AutoGroups: ["AutoGroups", "group_ratio_setting.auto_groups"],
} as const satisfies Partial<Record<OptionKey, readonly string[]>>;

/** Defaults in new-api's code, until a person saves others. */
const NEW_API_GROUPS = { default: "默认分组", vip: "vip分组" };

/** The groups that keys may choose, their ratios for users of others, and the list of "auto". */
export const mapGroupChoice = (rows: readonly OptionRow[], addRemark: AddRemark): ImportedOption[] => {
  const options: ImportedOption[] = [];
  for (const [key, names] of Object.entries(GROUP_CHOICE)) {
    const row = rows.find(
      (each) => names.some((name) => name === each.key) && (each.value ?? "").trim() !== "",
    );
    const isList = key === "AutoGroups";
    const written = isList
      ? readTexts(row?.value).join(",")
      : (row?.value ?? (key === "UserUsableGroups" ? JSON.stringify(NEW_API_GROUPS) : ""));
    if (written === "") continue;
    try {
      checkOption(key, written, () => "");
      options.push({ key, value: written, isSecret: false });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      addRemark(row?.key ?? key, "left-out", "option-refused", { reason: error.key });
    }
  }
  return options;
};

export const RATE_LIMIT = "ModelRequestRateLimit";

/**
 * new-api's limit of requests for each user, and for those of single groups `[requests, successful ones]`; 0 is no
 * limit.
 */
export const mapLimits = (
  rows: readonly OptionRow[],
  groups: readonly string[],
  addRemark: AddRemark,
): ImportedOption[] => {
  const saved = (name: string): string | undefined =>
    rows.find(({ key }) => key === RATE_LIMIT + name)?.value?.trim();
  const numberOf = (text: unknown): number => {
    const number = typeof text === "number" || (typeof text === "string" && text !== "") ? Number(text) : 0;
    return Number.isSafeInteger(number) && number > 0 ? number : 0;
  };
  if (saved("Enabled") !== "true") return [];
  const minutes = numberOf(saved("DurationMinutes") ?? "1");
  if (minutes !== 1) {
    addRemark(`${RATE_LIMIT}DurationMinutes`, "left-out", "option-limit-duration", { minutes });
    return [];
  }
  const usual = numberOf(saved("Count")) || numberOf(saved("SuccessCount") ?? "1000");
  const own = readObject(saved("Group")) ?? {};
  const limits: Record<string, { per_user: { rpm: number } }> = {};
  const byRpm = new Map<number, string[]>();
  for (const group of groups) {
    const [count, successful] = Object.hasOwn(own, group) ? readArray(own[group]) : [usual];
    const rpm = numberOf(count) || numberOf(successful);
    if (rpm === 0) continue;
    Object.defineProperty(limits, group, { value: { per_user: { rpm } }, enumerable: true });
    byRpm.set(rpm, [...(byRpm.get(rpm) ?? []), group]);
  }
  for (const [rpm, names] of byRpm)
    addRemark(RATE_LIMIT, "changed", "option-limit-changed", { rpm, groups: names.join(", ") });
  return byRpm.size === 0 ? [] : [{ key: "GroupLimits", value: JSON.stringify(limits), isSecret: false }];
};
