import { isObject } from "../values/is-object";

/* Changes that an administrator makes to the requests of one channel: docs/reference/overrides.md. */

/** A JSON object. */
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

/** "fill": only where the client gives no instructions. "prepend": before whatever it gives. */
export const SYSTEM_PROMPT_MODES = ["fill", "prepend"] as const;
export type SystemPromptMode = (typeof SYSTEM_PROMPT_MODES)[number];

export interface SystemPrompt {
  text: string;
  mode: SystemPromptMode;
}

/** Changes to the requests of a channel; undefined in place of an empty object. */
export interface ChannelOverrides {
  body?: BodyOverride;
  /** By name, in lower case. A value may hold `{api_key}` and `{client:X-Name}`. */
  headers?: Readonly<Record<string, string>>;
  systemPrompt?: SystemPrompt;
  /** An upstream's HTTP status → the one that it is treated as. */
  statusCodes?: Readonly<Record<string, number>>;
  /** A body of the upstream's own protocol is passed as it is. */
  passBody?: true;
}

/** Why overrides cannot be used. */
export type OverrideFaultCode =
  | "not-json"
  | "too-large"
  | "unknown-field"
  | "wrong-type"
  | "path-invalid"
  | "path-reserved"
  | "header-name"
  | "header-reserved"
  | "header-value"
  | "header-of-client"
  | "status"
  | "prompt"
  | "pass-alone";

/** @property at the field that is wrong, never a header's value. */
export class OverridesInvalid extends Error {
  override readonly name = "OverridesInvalid";
  constructor(
    readonly code: OverrideFaultCode,
    readonly at = "",
  ) {
    super(`${code} ${at}`);
  }
}

/** Placeholder of a header's hidden value; sent back, it leaves the stored one as it is. */
export const HIDDEN_VALUE = "***";

const MAX_CHARACTERS = 64 * 1024;
const MAX_DEPTH = 24;
const MAX_PATHS = 64;
const MAX_STEPS = 16;
const MAX_HEADERS = 32;
const MAX_HEADER_LENGTH = 4096;
const MAX_SHOWN = 80;

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

/** Names that every object inherits, or that change it. */
const UNSAFE_NAMES = new Set(["__proto__", "constructor", "prototype"]);

/** Headers of the connection and of the body's format, which the gateway sets. */
const RESERVED_HEADERS = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "traceparent",
  "transfer-encoding",
  "upgrade",
]);

/** Headers with a client's credentials for this gateway. */
const CREDENTIAL_HEADERS = new Set([
  "authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
  "sec-websocket-protocol",
]);

const HEADER_NAME = /^[!#$%&'+.^_`|~0-9a-z-]+$/;
const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** Whether a header may be set, because it does not frame the request. @param name in lower case. */
const isFree = (name: string): boolean =>
  !RESERVED_HEADERS.has(name) && !name.startsWith("proxy-") && !name.startsWith("sec-");

/** Whether a client's header may be passed on. @param name in lower case. */
const isPassable = (name: string): boolean => isFree(name) && !CREDENTIAL_HEADERS.has(name);

/** `{api_key}`, `{client:X-Name}`, and the same as new-api spells it. */
export const HEADER_PLACE = /\{(api_key|client(?:_header)?:[^{}]*)\}/g;

const fail = (code: OverrideFaultCode, at = ""): never => {
  throw new OverridesInvalid(code, at.length > MAX_SHOWN ? `${at.slice(0, MAX_SHOWN)}…` : at);
};

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

/** Rejects, without recursion, values nested too deeply or with a name that every object has. */
const checkValues = (root: unknown): void => {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== "object" || value === null) continue;
    if (depth > MAX_DEPTH) fail("too-large");
    for (const [name, inner] of Object.entries(value)) {
      if (name === "__proto__") fail("path-invalid", name);
      open.push({ value: inner, depth: depth + 1 });
    }
  }
};

const readObject = (value: unknown, at: string): Record<string, unknown> =>
  isObject(value) ? value : fail("wrong-type", at);

/** @param depth 0 at the top of the body. */
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

const readBody = (value: unknown): BodyOverride | undefined => {
  const given = readObject(value, "body");
  const names = Object.keys(given);
  if (names.length === 0) return undefined;
  // The shape that new-api has: each name is set.
  if (!names.every((name) => BODY_FIELDS.has(name)))
    return readBody({ set: Object.fromEntries(names.map((name) => [toPathStep(name), given[name]])) });
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

const readHeaderValue = (name: string, value: string): string => {
  if (value.length > MAX_HEADER_LENGTH || !HEADER_VALUE.test(value) || value.trim() === "")
    fail("header-value", name);
  const written = value.trim().replace(HEADER_PLACE, (place, inner: string) =>
    inner === "api_key"
      ? place
      : `{client:${inner
          .slice(inner.indexOf(":") + 1)
          .trim()
          .toLowerCase()}}`,
  );
  for (const [, place = ""] of written.matchAll(HEADER_PLACE)) {
    const passed = place.startsWith("client:") ? place.slice("client:".length) : undefined;
    if (passed === undefined) continue;
    if (!HEADER_NAME.test(passed) || !isPassable(passed)) fail("header-of-client", passed);
  }
  return written;
};

const readHeaders = (value: unknown): Record<string, string> | undefined => {
  const given = Object.entries(readObject(value, "headers"));
  if (given.length > MAX_HEADERS) fail("too-large", "headers");
  const headers = new Map<string, string>();
  for (const [written, text] of given) {
    const name = written.trim().toLowerCase();
    if (!HEADER_NAME.test(name) || UNSAFE_NAMES.has(name) || headers.has(name)) fail("header-name", written);
    if (!isFree(name)) fail("header-reserved", name);
    if (typeof text !== "string") return fail("wrong-type", `headers.${name}`);
    headers.set(name, readHeaderValue(name, text));
  }
  return headers.size === 0 ? undefined : Object.fromEntries(headers);
};

const readPrompt = (value: unknown): SystemPrompt | undefined => {
  const { text, mode = "fill" } = readObject(value, "system_prompt");
  if (typeof text !== "string") return fail("wrong-type", "system_prompt.text");
  const known = SYSTEM_PROMPT_MODES.find((each) => each === mode);
  if (known === undefined || text.includes("\u0000")) return fail("prompt", "system_prompt");
  return text.trim() === "" ? undefined : { text, mode: known };
};

const isErrorStatus = (status: number): boolean => Number.isInteger(status) && status >= 400 && status <= 599;

const readStatusCodes = (value: unknown): Record<string, number> | undefined => {
  const codes: Record<string, number> = {};
  for (const [from, given] of Object.entries(readObject(value, "status_codes"))) {
    // new-api has texts.
    const to = typeof given === "string" && /^\d{3}$/.test(given) ? Number(given) : given;
    if (!/^\d{3}$/.test(from) || !isErrorStatus(Number(from))) return fail("status", from);
    if (typeof to !== "number" || !isErrorStatus(to)) return fail("status", from);
    if (to !== Number(from)) codes[from] = to;
  }
  return Object.keys(codes).length === 0 ? undefined : codes;
};

const readGiven = <Value>(value: unknown, read: (value: unknown) => Value): Value | undefined =>
  value === undefined ? undefined : read(value);

const FIELDS = new Set(["body", "headers", "system_prompt", "status_codes", "pass_body"]);

/**
 * Reads overrides as they are written down.
 * @returns undefined where nothing is changed.
 * @throws OverridesInvalid
 */
export const readOverrides = (value: unknown): ChannelOverrides | undefined => {
  const given = readObject(value, "");
  checkValues(given);
  for (const name of Object.keys(given)) if (!FIELDS.has(name)) fail("unknown-field", name);
  const body = readGiven(given.body, readBody);
  const headers = readGiven(given.headers, readHeaders);
  const systemPrompt = readGiven(given.system_prompt, readPrompt);
  const statusCodes = readGiven(given.status_codes, readStatusCodes);
  const passBody = given.pass_body ?? false;
  if (typeof passBody !== "boolean") return fail("wrong-type", "pass_body");
  if (passBody && (body || systemPrompt)) fail("pass-alone", body ? "body" : "system_prompt");
  const overrides: ChannelOverrides = {
    ...(body && { body }),
    ...(headers && { headers }),
    ...(systemPrompt && { systemPrompt }),
    ...(statusCodes && { statusCodes }),
    ...(passBody && { passBody }),
  };
  return Object.keys(overrides).length === 0 ? undefined : overrides;
};

/**
 * The same from a JSON text.
 * @returns undefined for a blank text, too.
 * @throws OverridesInvalid
 */
export const parseOverrides = (text: string): ChannelOverrides | undefined => {
  if (text.trim() === "") return undefined;
  if (text.length > MAX_CHARACTERS) fail("too-large");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    fail("not-json");
  }
  return readOverrides(value);
};

/** As it is written down. */
export const writeOverrides = (overrides: ChannelOverrides): Record<string, unknown> => {
  const { body, headers, systemPrompt, statusCodes, passBody } = overrides;
  return {
    ...(body ? { body } : {}),
    ...(headers ? { headers } : {}),
    ...(systemPrompt ? { system_prompt: systemPrompt } : {}),
    ...(statusCodes ? { status_codes: statusCodes } : {}),
    ...(passBody ? { pass_body: true } : {}),
  };
};

/** The JSON text of overrides; "" where nothing is changed. */
export const encodeOverrides = (overrides: ChannelOverrides | undefined, indent?: number): string =>
  overrides === undefined ? "" : JSON.stringify(writeOverrides(overrides), null, indent);

/** Whether a header's value says only where its text comes from: it holds no secret then. */
const isOpenValue = (value: string): boolean => value.replace(HEADER_PLACE, "").trim() === "";

/** Whether any header has a hidden value. */
export const hasHiddenHeaders = (overrides: ChannelOverrides | undefined): boolean =>
  Object.values(overrides?.headers ?? {}).some((value) => !isOpenValue(value));

/** The same for people: headers' values are secret-like. */
export const hideHeaders = (overrides: ChannelOverrides): ChannelOverrides => {
  const { headers } = overrides;
  if (!headers) return overrides;
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    isOpenValue(value) ? value : HIDDEN_VALUE,
  ]);
  return { ...overrides, headers: Object.fromEntries(shown) };
};

/**
 * Overrides as they came back from a form, with the values of headers that were not shown.
 * @param stored in clear.
 * @returns undefined where a value is hidden and none is stored.
 */
export const revealHeaders = (
  given: ChannelOverrides,
  stored: ChannelOverrides | undefined,
): ChannelOverrides | undefined => {
  const { headers } = given;
  if (!headers) return given;
  const revealed: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value !== HIDDEN_VALUE) revealed.push([name, value]);
    else {
      const known = stored?.headers && Object.hasOwn(stored.headers, name) ? stored.headers[name] : undefined;
      if (known === undefined) return undefined;
      revealed.push([name, known]);
    }
  }
  return { ...given, headers: Object.fromEntries(revealed) };
};
