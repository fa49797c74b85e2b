import { entryOf, isOptionKey, type OptionKey } from "@tollgate/contract/options/options";

const CONTROL_CHARACTER = "a\u0007b";

/** A value that the server takes for an option and that is not its default. */
export const otherValueOf = (key: OptionKey): string => {
  const entry = entryOf(key);
  switch (entry.type) {
    case "switch":
      return String(!entry.default);
    case "decimal":
    case "whole":
    case "quota":
      return String(entry.default < entry.max ? entry.default + 1 : entry.min);
    case "choice":
      return entry.choices.find((choice) => choice !== entry.default) ?? "";
    case "url":
      return "https://example.com/other";
    case "ratios":
      return '{"default":1,"other":2.5}';
    case "json":
      return entry.default === "[]" ? "[ ]" : "{ }";
    case "domains":
      return "other.example";
    case "text":
    case "area":
    case "secret":
      return `other ${key}`;
  }
};

/** Values that the server refuses for an option, among them those just beyond its bounds. */
export const refusedValuesOf = (key: OptionKey): string[] => {
  const entry = entryOf(key);
  switch (entry.type) {
    case "switch":
      return ["yes", "1", "", "TRUE", " true"];
    case "decimal":
    case "whole":
    case "quota": {
      const beyond = [String(entry.min - 1), String(entry.max + 1)];
      return [
        "",
        " ",
        "abc",
        "NaN",
        "Infinity",
        "1,5",
        ...beyond,
        ...(entry.type === "decimal" ? [] : ["1.5"]),
      ];
    }
    case "choice":
      return ["", "other"];
    case "ratios":
      return [
        ...[
          "",
          "{",
          "[]",
          "null",
          "7",
          '"x"',
          '{"a":-1}',
          '{"a":"1"}',
          '{"a":null}',
          '{"a":1e400}',
          '{"a":{}}',
        ],
        ...(entry.isPositive ? ['{"a":0}'] : []),
      ];
    case "json":
      return ["", "{", entry.default === "[]" ? "{}" : "[]", "null", "7", '"x"'];
    default:
      return [CONTROL_CHARACTER];
  }
};

/** Options that must be set before an option can be changed: none, except for switches that need others. */
export const neededBy = (key: OptionKey): OptionKey[] => {
  const entry = entryOf(key);
  return entry.type === "switch" ? (entry.needs ?? []).filter(isOptionKey) : [];
};

/** An option's value in GET /api/status. */
export const publicValueOf = (key: OptionKey, value: string): string | number | boolean => {
  const { default: standard } = entryOf(key);
  if (typeof standard === "boolean") return value === "true";
  return typeof standard === "number" ? Number(value) : value;
};
