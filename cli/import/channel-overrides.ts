import { toPathStep } from "@tollgate/contract/management/channel-override-body";
import { OverridesInvalid } from "@tollgate/contract/management/channel-override-checks";
import { type ChannelOverrides, readOverrides } from "@tollgate/contract/management/channel-overrides";
import { isRecord, readArray, readString } from "@tollgate/protocols/shared/json/json-values";
import type { Series } from "./origin";
import { isNeutral, readObject } from "./read-json";
import type { ChannelRow } from "./source-rows";

/** What of a channel's overrides is taken over. */
export interface SourceOverrides {
  requestChanges: ChannelOverrides | undefined;
  /** Columns, and names in them, that have no equal here. */
  leftOut: readonly string[];
  /** The source's system prompt took the place of the client's. */
  isPromptForced: boolean;
}

const isUsable = (overrides: unknown): boolean => {
  try {
    readOverrides(overrides);
    return true;
  } catch (error) {
    if (error instanceof OverridesInvalid) return false;
    throw error;
  }
};

/** The operations that new-api's `param_override` may hold; undefined for one that has no equal. */
const readOperation = (operation: unknown): { set?: [string, unknown]; remove?: string } | undefined => {
  if (!isRecord(operation) || !isNeutral(operation.conditions) || operation.keep_origin === true)
    return undefined;
  const path = readString(operation.path);
  if (operation.mode === "delete") return { remove: path };
  return operation.mode === "set" ? { set: [path, operation.value] } : undefined;
};

/** @returns changes of bodies, and names of parameters that are left out. */
const readParameters = (given: Record<string, unknown>) => {
  const set: Record<string, unknown> = {};
  const removed: string[] = [];
  const leftOut: string[] = [];
  const { operations, ...plain } = given;
  const fields = Array.isArray(operations) ? plain : given;
  for (const [name, value] of Object.entries(fields)) {
    const path = toPathStep(name);
    if (isUsable({ body: { set: { [path]: value } } })) set[path] = value;
    else leftOut.push("param_override");
  }
  for (const operation of Array.isArray(operations) ? readArray(operations) : []) {
    const read = readOperation(operation);
    if (read?.set && isUsable({ body: { set: Object.fromEntries([read.set]) } }))
      [, set[read.set[0]]] = read.set;
    else if (read?.remove !== undefined && isUsable({ body: { delete: [read.remove] } }))
      removed.push(read.remove);
    else leftOut.push("param_override.operations");
  }
  return { body: { set, delete: removed }, leftOut };
};

/** Those of an object's entries that can be said here under a name of overrides. */
const usableEntries = (name: string, given: Record<string, unknown>): [string, unknown][] =>
  Object.entries(given).filter(([key, value]) => isUsable({ [name]: { [key]: value } }));

/** The system prompt of a channel: only one-api puts it in the place of the client's. */
const readPrompt = (series: Series, row: ChannelRow, setting: Record<string, unknown>) => {
  const forced = series === "new-api" ? "" : (row.system_prompt ?? "");
  return forced.trim() === ""
    ? {
        prompt: readString(setting.system_prompt),
        isForced: false,
        isFirst: setting.system_prompt_override === true,
      }
    : { prompt: forced, isForced: true, isFirst: true };
};

/**
 * Reads the changes that a channel of the source makes to its requests.
 * @param isMapped whether it renames models: then a body cannot pass unchanged.
 */
export const readSourceOverrides = (series: Series, row: ChannelRow, isMapped: boolean): SourceOverrides => {
  const leftOut: string[] = [];
  const objectOf = (column: "param_override" | "header_override" | "status_code_mapping") => {
    const read = readObject(row[column]);
    if (!read) leftOut.push(column);
    return read ?? {};
  };
  const parameters = readParameters(objectOf("param_override"));
  const usableOf = (column: "header_override" | "status_code_mapping", name: string) => {
    const given = objectOf(column);
    const usable = usableEntries(name, given);
    if (usable.length < Object.keys(given).length) leftOut.push(column);
    return Object.fromEntries(usable);
  };
  const headers = usableOf("header_override", "headers");
  const statuses = usableOf("status_code_mapping", "status_codes");
  const setting = readObject(row.setting) ?? {};
  const { prompt, isForced, isFirst } = readPrompt(series, row, setting);
  const passes = setting.pass_through_body_enabled === true;
  if (passes && isMapped) leftOut.push("setting.pass_through_body_enabled");
  const isPassing = passes && !isMapped;
  const hasParameters = !isNeutral(parameters.body.set) || parameters.body.delete.length > 0;
  if (isPassing && hasParameters) leftOut.push("param_override");
  if (isPassing && prompt.trim() !== "") leftOut.push("setting.system_prompt");
  const overrides = {
    headers,
    status_codes: statuses,
    ...(isPassing
      ? { pass_body: true }
      : {
          ...(hasParameters ? { body: parameters.body } : {}),
          system_prompt: { text: prompt.replaceAll("\u0000", ""), mode: isFirst ? "prepend" : "fill" },
        }),
  };
  const all = [...leftOut, ...parameters.leftOut];
  // Each of them can be said, but all of them may be too much.
  if (!isUsable(overrides))
    return { requestChanges: undefined, leftOut: [...all, "param_override"], isPromptForced: false };
  return {
    requestChanges: readOverrides(overrides),
    leftOut: [...new Set(all)],
    isPromptForced: isForced && !isPassing,
  };
};
