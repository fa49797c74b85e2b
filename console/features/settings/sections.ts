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

/** An option that is turned, and saved at once. */
export type SwitchKey = OptionKeyOf<{ type: "switch" }>;
/** An option that is typed, and saved with the others that changed. */
export type FieldKey = Exclude<OptionKey, SwitchKey>;

/** A card of options that belong together. */
export interface Section {
  id: SectionId;
  switches: SwitchKey[];
  fields: FieldKey[];
}

const isSwitch = (key: OptionKey): key is SwitchKey => isOfType(key, "switch");
export const isField = (key: OptionKey): key is FieldKey => !isSwitch(key);

/**
 * Whether the server knows an option: those of one-api's contract always, others where it told their value. A secret is
 * never told, so it is known by the others of its card.
 */
const isKnown = (key: OptionKey, stored: Readonly<Record<string, string>>): boolean => {
  const { isExtra, type, section } = entryOf(key);
  if (!isExtra || key in stored) return true;
  return type === "secret" && OPTION_KEYS.some((each) => entryOf(each).section === section && each in stored);
};

/** The cards of a tab with the options that the server knows. A card with nothing on it is left out. */
export const sectionsOf = (tab: OptionTab, stored: Readonly<Record<string, string>>): Section[] => {
  const keys = OPTION_KEYS.filter((key) => isKnown(key, stored));
  return sectionIdsOf(tab)
    .map((id) => {
      const own = keys.filter((key) => entryOf(key).section === id);
      return { id, switches: own.filter(isSwitch), fields: own.filter(isField) };
    })
    .filter(({ switches, fields }) => switches.length + fields.length > 0);
};

/** Whether the server compares what it is sent with what was read: one that knows more options than one-api's contract. */
export const comparesValues = (stored: Readonly<Record<string, string>>): boolean =>
  OPTION_KEYS.some((key) => entryOf(key).isExtra && key in stored);
