import { VENDORS } from "../vendors";
import type { ModelFacts, PriceSheet } from "./sheet";

/** Every known price list; each name is in only one of them (docs/reference/prices.md describes their upkeep). */
export const PRICE_SHEETS: readonly PriceSheet[] = VENDORS.flatMap(({ prices }) => prices);

/** A model of the catalogue and its list. */
export interface CatalogueEntry {
  /** Its name in the list, whatever name it was found by. */
  name: string;
  facts: ModelFacts;
  sheet: PriceSheet;
}

const entries = new Map<string, CatalogueEntry>();
const aliases = new Map<string, CatalogueEntry>();
for (const sheet of PRICE_SHEETS) {
  for (const [name, facts] of Object.entries(sheet.models)) {
    const entry: CatalogueEntry = { name, facts, sheet };
    entries.set(name, entry);
    for (const alias of facts.aliases ?? []) aliases.set(alias, entry);
  }
}

const named = (name: string): CatalogueEntry | undefined => entries.get(name) ?? aliases.get(name);

/** Only the vendor's own prefix is removed from a name: with another one the price could be another's. */
const RESOLD_AS = PRICE_SHEETS.flatMap(({ owner, resoldAs = [] }) =>
  resoldAs.map((path): [RegExp, string] => [path, owner.id]),
);

/** "-2024-11-20", "-20250929", "@20250929", Bedrock's "-20250929-v1:0". */
const DATE = /[-@](?:20\d{2}-\d{2}-\d{2}|20\d{6})$/;
const BEDROCK_VERSION = /-v\d+(?::\d+)?$/;

const find = (name: string): CatalogueEntry | undefined =>
  named(name) ?? (DATE.test(name) ? named(name.replace(DATE, "")) : undefined);

/**
 * Finds the model of a name: the name itself, else an alias, else the name without its date; then the same again
 * without the maker's prefix. It never guesses from the beginning of a name: the next model of a family may cost ten
 * times as much.
 */
export const findModel = (name: string): CatalogueEntry | undefined => {
  const found = find(name);
  if (found) return found;
  for (const [path, owner] of RESOLD_AS) {
    if (!path.test(name)) continue;
    const rest = name.replace(path, "").replace(BEDROCK_VERSION, "");
    const entry = find(rest);
    return entry?.sheet.owner.id === owner ? entry : undefined;
  }
  return undefined;
};
