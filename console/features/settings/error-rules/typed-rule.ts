import {
  type ErrorRule,
  type PreparedErrorRule,
  parseErrorRules,
  type RuleAnswer,
} from "@tollgate/contract/management/error-rules";

/** A rule as the form's fields hold it. */
export interface TypedRule {
  /** Ids with commas. */
  channels: string;
  types: readonly number[];
  /** Statuses with commas. */
  statuses: string;
  /** One on each line. */
  words: string;
  answer: RuleAnswer;
  status: string;
  code: string;
  /** By language. */
  text: Readonly<Record<string, string>>;
}

export type RuleField = keyof TypedRule;

export const BLANK_RULE: TypedRule = {
  channels: "",
  types: [],
  statuses: "",
  words: "",
  answer: "own",
  status: "",
  code: "",
  text: {},
};

/** A rule as fields of a form. */
export const toTyped = ({ channels, types, statuses, words, ...rule }: ErrorRule): TypedRule => ({
  channels: channels.join(", "),
  types,
  statuses: statuses.join(", "),
  words: words.join("\n"),
  answer: rule.answer,
  status: rule.status === undefined ? "" : String(rule.status),
  code: rule.code ?? "",
  text: rule.text,
});

const partsOf = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");

const numberOr = (text: string): number | string => (/^\d+$/.test(text) ? Number(text) : text.toLowerCase());

/** Properties that say nothing are left out. */
const withoutEmpty = (value: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([, each]) => each !== "" && Object.keys(Object(each)).length + Number(typeof each !== "object") > 0,
    ),
  );

/** A typed rule as it is stored, right or wrong. */
const toStored = (rule: TypedRule): Record<string, unknown> => {
  const isOwn = rule.answer === "own";
  const written = Object.entries(rule.text).map(([language, text]) => [language, text.trim()] as const);
  return withoutEmpty({
    channels: partsOf(rule.channels, /[,，\s]/).map(numberOr),
    types: rule.types,
    statuses: partsOf(rule.statuses, /[,，\s]/).map(numberOr),
    words: partsOf(rule.words, /\n/),
    answer: rule.answer,
    status: numberOr(rule.status.trim()),
    code: rule.code.trim(),
    text: isOwn ? Object.fromEntries(written.filter(([, text]) => text !== "")) : {},
  });
};

/** The JSON text of the option. */
export const writeRules = (rules: readonly TypedRule[]): string =>
  JSON.stringify(rules.map(toStored), null, 2);

const FIELDS = Object.keys(BLANK_RULE) as RuleField[];

/** The wrong field of a rule; undefined for a right one. */
export const mistakeIn = (rule: TypedRule): RuleField | undefined => {
  const parsed = parseErrorRules(JSON.stringify([toStored(rule)]));
  if (!("fault" in parsed)) return undefined;
  const [, field] = parsed.fault.split(".");
  return FIELDS.find((each) => each === field) ?? "text";
};

/** The rules without a mistake, each with its number. */
export const readyRules = (
  rules: readonly TypedRule[],
): { readonly rules: readonly PreparedErrorRule[]; readonly numbers: readonly number[] } => {
  const numbers = rules.flatMap((rule, index) => (mistakeIn(rule) === undefined ? [index + 1] : []));
  const parsed = parseErrorRules(writeRules(rules.filter((rule) => mistakeIn(rule) === undefined)));
  return { rules: "fault" in parsed ? [] : parsed, numbers };
};
