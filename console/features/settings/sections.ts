import type { OptionTab } from "@tollgate/contract/options/option-entry";
import {
  entryOf,
  isOfType,
  OPTION_KEYS,
  type OptionKey,
  type OptionKeyOf,
  type SectionId,
  sectionIdsOf,
} from "@tollgate/contract/options/options";

/** An option with a switch, saved immediately. */
export type SwitchKey = OptionKeyOf<{ type: "switch" }>;
/** An option with a field, saved together with the other changed ones. */
export type FieldKey = Exclude<OptionKey, SwitchKey>;

/** A card of related options. */
export interface Section {
  id: SectionId;
  switches: SwitchKey[];
  fields: FieldKey[];
}

const isSwitch = (key: OptionKey): key is SwitchKey => isOfType(key, "switch");
export const isField = (key: OptionKey): key is FieldKey => !isSwitch(key);

/**
 * Whether the server knows an option: those of one-api's contract always, others if it sent their value. A secret is
 * never sent, so the other options of its card decide.
 */
const isKnown = (key: OptionKey, stored: Readonly<Record<string, string>>): boolean => {
  const { isExtra, type, section } = entryOf(key);
  if (!isExtra || key in stored) return true;
  return type === "secret" && OPTION_KEYS.some((each) => entryOf(each).section === section && each in stored);
};

/** The cards of a tab, with the options known to the server. Empty cards are left out. */
export const sectionsOf = (tab: OptionTab, stored: Readonly<Record<string, string>>): Section[] => {
  const keys = OPTION_KEYS.filter((key) => isKnown(key, stored));
  return sectionIdsOf(tab)
    .map((id) => {
      const own = keys.filter((key) => entryOf(key).section === id);
      return { id, switches: own.filter(isSwitch), fields: own.filter(isField) };
    })
    .filter(({ switches, fields }) => switches.length + fields.length > 0);
};

/** Whether the server compares the previous value with the stored one: if it has options beyond one-api's contract. */
export const comparesValues = (stored: Readonly<Record<string, string>>): boolean =>
  OPTION_KEYS.some((key) => entryOf(key).isExtra && key in stored);
