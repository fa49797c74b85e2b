import { isObject } from "../values/is-object";
import { fail, readObject, UNSAFE_NAMES } from "./channel-override-checks";

type JsonObject = Readonly<Record<string, unknown>>;

/** How the body of a request is changed, in this order. A path is names between dots; `\.` is a dot within a name. */
export interface BodyOverride {
  /** Merged into the body: objects name by name, other values replace existing ones. */
  merge?: JsonObject;
  /** New values, by path. */
  set?: JsonObject;
  /** Paths that are taken out. */
  delete?: readonly string[];
}

const MAX_PATHS = 64;
const MAX_STEPS = 16;

/**
 * Fields that a body override may not change, in any spelling, at the top of a body or one level below: the gateway
 * decides who answers, and how, and the conversation is the client's.
 */
const RESERVED_FIELDS = new Set([
  "model",
  "models",
  "stream",
  "streamoptions",
  "streamformat",
  "incrementaloutput",
  "resultformat",
  "messages",
  "contents",
  "input",
  "prompt",
  "system",
  "systeminstruction",
  "instructions",
  "background",
  "previousresponseid",
  "conversation",
]);

/**
 * Splits a path into its steps.
 * @returns undefined for an invalid path: an empty step, a name that every object has, too many steps.
 */
export const readBodyPath = (path: string): string[] | undefined => {
  const steps = [""];
  for (let at = 0; at < path.length; at += 1) {
    const sign = path[at] ?? "";
    const isEscape = sign === "\\" && (path[at + 1] === "." || path[at + 1] === "\\");
    if (sign === ".") steps.push("");
    else steps[steps.length - 1] += isEscape ? (path[at + 1] ?? "") : sign;
    if (isEscape) at += 1;
  }
  const isUsable = steps.length <= MAX_STEPS && steps.every((step) => step !== "" && !UNSAFE_NAMES.has(step));
  return isUsable ? steps : undefined;
};

/** A name as one step of a path. */
export const toPathStep = (name: string): string => name.replace(/[\\.]/g, "\\$&");

/** One spelling for all: parsers differ in whether case and underscores tell names apart. */
const isReserved = (name: string): boolean => RESERVED_FIELDS.has(name.replaceAll(/[_-]/g, "").toLowerCase());

const checkNames = (names: readonly string[], at: string): void => {
  for (const name of names) if (isReserved(name)) fail("path-reserved", at);
};

const readPaths = (paths: readonly string[]): void => {
  if (paths.length > MAX_PATHS) fail("too-large");
  for (const path of paths) {
    const steps = readBodyPath(path) ?? fail("path-invalid", path);
    checkNames(steps.slice(0, 2), path);
  }
};

/** @param depth 0 at the top of the body. */
const checkMerged = (merged: Record<string, unknown>, before: string, depth: number): void => {
  for (const [name, value] of Object.entries(merged)) {
    const at = before + toPathStep(name);
    if (UNSAFE_NAMES.has(name)) fail("path-invalid", at);
    checkNames([name], at);
    if (depth === 0 && isObject(value)) checkMerged(value, `${at}.`, 1);
  }
};

const readMerged = (value: unknown): Record<string, unknown> => {
  const merge = value === undefined ? {} : readObject(value, "body.merge");
  checkMerged(merge, "", 0);
  return Object.keys(merge).length > MAX_PATHS ? fail("too-large") : merge;
};

const readSet = (value: unknown): Record<string, unknown> => {
  const set = value === undefined ? {} : readObject(value, "body.set");
  readPaths(Object.keys(set));
  for (const [path, inner] of Object.entries(set))
    if (isObject(inner) && (readBodyPath(path)?.length ?? 0) === 1) checkMerged(inner, `${path}.`, 1);
  return set;
};

const readRemoved = (value: unknown): string[] => {
  const removed: unknown = value ?? [];
  if (!Array.isArray(removed) || !removed.every((path) => typeof path === "string"))
    return fail("wrong-type", "body.delete");
  readPaths(removed);
  return removed;
};

const BODY_FIELDS = new Set(["merge", "set", "delete"]);

export const readBodyOverride = (value: unknown): BodyOverride | undefined => {
  const given = readObject(value, "body");
  const names = Object.keys(given);
  if (names.length === 0) return undefined;
  // The shape that new-api has: each name is set.
  if (!names.every((name) => BODY_FIELDS.has(name)))
    return readBodyOverride({
      set: Object.fromEntries(names.map((name) => [toPathStep(name), given[name]])),
    });
  const merge = readMerged(given.merge);
  const set = readSet(given.set);
  const removed = readRemoved(given.delete);
  const body: BodyOverride = {
    ...(Object.keys(merge).length > 0 && { merge }),
    ...(Object.keys(set).length > 0 && { set }),
    ...(removed.length > 0 && { delete: removed }),
  };
  return Object.keys(body).length === 0 ? undefined : body;
};
