import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { OptionEntry } from "./option-entry";
import { OPTION_TABLES, type OptionTable, type OptionTablePart } from "./option-tables";
import { defaultTextOf, entryOf, OPTION_KEYS, type OptionKey, sectionIdsOf } from "./options";

interface OptionTexts {
  option: Record<string, string>;
  optionHint: Record<string, string>;
  setting: { tab: Record<string, string>; section: Record<string, string> };
}

const english = JSON.parse(
  readFileSync(new URL("../../console/locales/en/settings.json", import.meta.url), "utf8"),
) as OptionTexts;

const TYPES: Readonly<Record<OptionEntry["type"], string>> = {
  switch: "`true` or `false`",
  decimal: "number",
  whole: "whole number",
  quota: "quota",
  text: "text",
  area: "text of several lines",
  domains: "domains, with commas",
  url: "address",
  secret: "secret",
  choice: "one of",
  ratios: "JSON: names and numbers",
  json: "JSON",
};

const CHANGED_BY = { admin: "administrators", root: "root", "root-session": "root, signed in" } as const;

const code = (text: string): string => (text === "" ? "" : `\`${text.replaceAll("|", "\\|")}\``);

/** The JSON of a table's rows, with names in angle brackets: `{<group>: {rpm, per_user.rpm}}`. */
const describePart = ({ columns, isRepeatable }: OptionTablePart): string => {
  const values = columns.filter((column) => !column.isName && !("prefixes" in column));
  const isFlat = values.every(({ at = [] }) => at.length === 0);
  const fields = isFlat
    ? values.map(({ id }) => id).join(", ")
    : `{${values.map(({ at = [] }) => at.join(".")).join(", ")}}`;
  const short = values.find(({ isShort }) => isShort);
  const entry = `${short ? `${short.id} or ` : ""}${fields}${isRepeatable ? " or a list of such" : ""}`;
  const names = columns.filter(({ isName }) => isName);
  if (names.length === 0) return `[${entry}]`;
  return names.reduceRight((inner, { id }) => `{<${id}>: ${inner}}`, entry);
};

const describeTable = (table: OptionTable): string =>
  table.map((part) => (part.id ? `${part.id}: ${describePart(part)}` : describePart(part))).join("; ");

const describeType = (key: OptionKey): string => {
  const entry = entryOf(key);
  if (entry.type === "json") {
    const table = OPTION_TABLES[entry.format];
    return table ? `${TYPES.json}: ${code(describeTable(table))}` : TYPES.json;
  }
  if (entry.type === "choice") return entry.choices.map(code).join(" or ");
  if (!("min" in entry)) return TYPES[entry.type];
  const max = entry.max === Number.MAX_SAFE_INTEGER ? "" : ` to ${entry.max}`;
  return `${TYPES[entry.type]}, ${entry.min}${max === "" ? " and more" : max}`;
};

const describeDefault = (key: OptionKey): string => {
  const text = defaultTextOf(key);
  return text === undefined ? "the vendors' prices" : code(text);
};

const describeMeaning = (key: OptionKey): string => {
  const entry = entryOf(key);
  const needs = entry.type === "switch" && entry.needs ? `Needs ${entry.needs.map(code).join(", ")}.` : "";
  const text = [`${english.option[key]}.`, english.optionHint[key] ?? "", needs].filter(
    (part) => part !== "",
  );
  return text.join(" ").replaceAll("|", "\\|");
};

const tableOf = (keys: readonly OptionKey[]): string =>
  [
    "| name | what | type | default | changed by | in `/api/status` | more |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...keys.map((key) => {
      const { changedBy, status, isExtra, isPrice } = entryOf(key);
      const more = [isExtra ? "not in one-api" : "", isPrice ? "part of the prices" : ""];
      return `| ${[
        code(key),
        describeMeaning(key),
        describeType(key),
        describeDefault(key),
        CHANGED_BY[changedBy],
        code(status ?? ""),
        more.filter((word) => word !== "").join(", "),
      ].join(" | ")} |`;
    }),
  ].join("\n");

const reference = (): string => {
  const tabs = (["operation", "system", "other"] as const).map((tab) =>
    [
      `## ${english.setting.tab[tab]}`,
      ...sectionIdsOf(tab).map(
        (id) =>
          `### ${english.setting.section[id]}\n\n${tableOf(OPTION_KEYS.filter((key) => entryOf(key).section === id))}`,
      ),
    ].join("\n\n"),
  );
  return `# Options

<!-- written by contract/options/options-reference.test.ts: UPDATE_DOCS=1 npx vitest run contract/options -->

The settings of a site, as \`GET /api/option/\` lists them and \`PUT /api/option/\` changes them, one at a time; all values are
strings there. They are declared in \`contract/options/options.ts\`; [how to add one](../guides/add-an-option.md). The tables
follow the console's settings page. Administrators read all of them but secrets, which nobody reads; what this version does
not know is kept as it is, and root's alone.

${tabs.join("\n\n")}
`;
};

it("docs/reference/options.md agrees with the catalogue (if not: UPDATE_DOCS=1 npx vitest run contract/options)", () => {
  const url = new URL("../../docs/reference/options.md", import.meta.url);
  if (process.env.UPDATE_DOCS === "1") writeFileSync(url, reference());
  else expect(readFileSync(url, "utf8")).toBe(reference());
});
