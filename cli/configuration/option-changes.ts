import { useOfOption } from "@tollgate/contract/api/configuration";
import { changeOption } from "@tollgate/contract/api/options";
import { isSecretOption } from "@tollgate/contract/options/option-rights";
import { entryOf, OPTION_KEYS, type OptionKey } from "@tollgate/contract/options/options";
import { requestOf } from "@tollgate/contract/resource/endpoint";
import { isRecord } from "@tollgate/protocols/shared/json/json-values";
import { checkOption, defaultOf } from "@tollgate/server/state/options";
import type { OperatorCall } from "../operator/operator-api";
import type { SecretSource } from "./configuration";
import { canonical, meansSame, readOptionText, writeOptionText } from "./option-value";
import { CHANGED, explain, type FieldChange, type PlannedChange, type Sides } from "./planned-change";

/** One field of an object of an option for each name that differs. */
const fieldsOf = (before: unknown, after: unknown): FieldChange[] => {
  if (!isRecord(before) || !isRecord(after)) return [{ field: "", before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => canonical(before[name]) !== canonical(after[name]))
    .map((field) => ({ field, before: before[field], after: after[field] }));
};

const putOption = (key: OptionKey, value: string): OperatorCall =>
  requestOf(changeOption, { body: { key, value } });

/** The texts of the options that a file names, secrets in clear. @throws FileFault */
const wantedTexts = ({ file, reveal }: Sides): ReadonlyMap<OptionKey, string> => {
  const wanted = new Map<OptionKey, string>();
  for (const [key, value] of file.configuration.options) {
    const text = isSecretOption(key)
      ? reveal(value as SecretSource, ["options", key], useOfOption(key))
      : writeOptionText(key, value);
    if (text !== undefined) wanted.set(key, text);
  }
  return wanted;
};

/** @returns undefined where the option already has the file's meaning. */
const findOptionChange = (key: OptionKey, before: string, value: string): PlannedChange | undefined => {
  const call = putOption(key, value);
  if (isSecretOption(key))
    return before === value
      ? undefined
      : {
          sign: before === "" ? "+" : "~",
          what: "option",
          name: key,
          fields: [{ field: "", ...CHANGED }],
          call,
        };
  if (meansSame(key, before, value)) return undefined;
  const sign = meansSame(key, before, defaultOf(key)) ? "+" : "~";
  const fields = fieldsOf(readOptionText(key, before), readOptionText(key, value));
  return { sign, what: "option", name: key, fields, call };
};

const isSwitch = (key: OptionKey): boolean => entryOf(key).type === "switch";

/** Returns the changes that make the options equal to a file. @throws FileFault */
export const findOptionChanges = (sides: Sides): PlannedChange[] => {
  const { file, current, optionSecrets, prune } = sides;
  const wanted = wantedTexts(sides);
  const textNow = (key: OptionKey): string =>
    (isSecretOption(key) ? optionSecrets.get(key) : current.options.get(key)) ?? "";
  const textOf = (key: OptionKey): string => wanted.get(key) ?? textNow(key);
  const changes: PlannedChange[] = [];
  // Switches last: the options that they need are set then.
  for (const [key, value] of [...wanted].sort(([a], [b]) => Number(isSwitch(a)) - Number(isSwitch(b)))) {
    const change = findOptionChange(key, textNow(key), value);
    // What stays needs no check: a switch may be on although an option that it needs was emptied since.
    if (!change) continue;
    try {
      checkOption(key, value, textOf, textNow(key));
    } catch (error) {
      file.refuse(["options", key], explain(error));
    }
    changes.push(change);
  }
  if (!prune) return changes;
  for (const key of OPTION_KEYS) {
    // A secret that is not written down was not meant to go.
    if (wanted.has(key) || isSecretOption(key) || meansSame(key, textNow(key), defaultOf(key))) continue;
    const fields = fieldsOf(readOptionText(key, textNow(key)), readOptionText(key, defaultOf(key)));
    changes.push({ sign: "-", what: "option", name: key, fields, call: putOption(key, defaultOf(key)) });
  }
  return changes;
};
