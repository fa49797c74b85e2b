import type { OptionTab } from "@tollgate/contract/options/option-entry";
import {
  declares,
  entryOf,
  OPTION_KEYS,
  OPTION_SECTIONS,
  type OptionKey,
  type SectionId,
} from "@tollgate/contract/options/options";
import type { TFunction } from "i18next";

/** A matching option, and its location. */
export interface FoundOption {
  key: OptionKey;
  label: string;
  hint: string | undefined;
  section: SectionId;
  tab: OptionTab;
}

/** Element id of an option. */
export const optionId = (key: OptionKey): string => `option-${key}`;
export const sectionElementId = (id: SectionId): string => `section-${id}`;

/**
 * The options whose name, card, hint or key contains every typed word, matches at the start of the name first.
 * @param t of a page that has the texts of settings.
 */
export const findOptions = (text: string, t: TFunction): FoundOption[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const hasAll = (of: string): boolean => words.every((word) => of.toLowerCase().includes(word));
  const found = OPTION_KEYS.flatMap((key): (FoundOption & { isByName: boolean })[] => {
    const { section } = entryOf(key);
    const label = t(`option.${key}`);
    const hint = declares(key, "hasHint") ? t(`optionHint.${key}`) : undefined;
    if (!hasAll(`${label} ${key} ${t(`setting.section.${section}`)} ${hint ?? ""}`)) return [];
    return [
      { key, label, hint, section, tab: OPTION_SECTIONS[section], isByName: hasAll(`${label} ${key}`) },
    ];
  });
  return found
    .toSorted((a, b) => Number(b.isByName) - Number(a.isByName))
    .map(({ isByName: _, ...option }) => option);
};
