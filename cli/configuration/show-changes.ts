import { isRecord } from "@tollgate/protocols/shared/json/json-values";
import type { FieldChange, PlannedChange } from "./planned-change";

const LONGEST = 120;

/** Cursor movements and colours, which a name in the data may have. */
const CONTROL = /\p{Cc}|\p{Cf}/gu;

const textOf = (value: unknown): string => {
  if (value === undefined) return "(none)";
  const text = (typeof value === "string" && /^\(.*\)$/.test(value) ? value : JSON.stringify(value)).replace(
    CONTROL,
    "",
  );
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

const lineOf = ({ field, before, after }: FieldChange): string => {
  const name = field === "" ? "" : `${field.replace(CONTROL, "")}: `;
  if (isList(before) && isList(after)) {
    const added = after.filter((each) => !before.includes(each)).map(textOf);
    const gone = before.filter((each) => !after.includes(each)).map(textOf);
    return name + [...added.map((each) => `+${each}`), ...gone.map((each) => `-${each}`)].join(" ");
  }
  return before === undefined ? name + textOf(after) : `${name}${textOf(before)} -> ${textOf(after)}`;
};

const isNotDefault = ({ after }: FieldChange): boolean =>
  !(after === "" || after === 0 || (isRecord(after) && Object.keys(after).length === 0));

/** The changes as people read them, one for each object and field. */
export const showChanges = (changes: readonly PlannedChange[]): string[] =>
  changes.flatMap(({ sign, what, name, fields }) => {
    // Default values of a new channel are not worth a line.
    const shown = sign === "+" && what === "channel" ? fields.filter(isNotDefault) : fields;
    const head = `${sign} ${what} ${what === "option" ? name : textOf(name)}`;
    const [only] = shown;
    return only && shown.length === 1 && only.field === ""
      ? [`${head}: ${lineOf(only)}`]
      : [head, ...shown.map((field) => `    ${lineOf(field)}`)];
  });

/** How many of each there are. */
export const countChanges = (changes: readonly PlannedChange[]) => ({
  added: changes.filter(({ sign }) => sign === "+").length,
  changed: changes.filter(({ sign }) => sign === "~").length,
  removed: changes.filter(({ sign }) => sign === "-").length,
});
