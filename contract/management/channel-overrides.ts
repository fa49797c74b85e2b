import { type BodyOverride, readBodyOverride } from "./channel-override-body";
import { fail, readObject } from "./channel-override-checks";
import { HIDDEN_VALUE, isOpenValue, readHeaders } from "./channel-override-headers";

/* Changes that an administrator makes to the requests of one channel: docs/reference/overrides.md. */

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
  /** Requests for an upstream of Anthropic's protocol get marks of the prompt cache where the client sets none. */
  cacheMarks?: true;
}

const MAX_CHARACTERS = 64 * 1024;
const MAX_DEPTH = 24;

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

const readSwitch = (value: unknown, name: string): boolean => {
  const isOn = value ?? false;
  return typeof isOn === "boolean" ? isOn : fail("wrong-type", name);
};

/** A body that passes unchanged cannot be changed as well. */
const checkPassing = ({ passBody, body, systemPrompt, cacheMarks }: ChannelOverrides): void => {
  if (!passBody) return;
  if (body) fail("pass-alone", "body");
  if (systemPrompt) fail("pass-alone", "system_prompt");
  if (cacheMarks) fail("pass-alone", "cache_marks");
};

const FIELDS = new Set(["body", "headers", "system_prompt", "status_codes", "pass_body", "cache_marks"]);

/**
 * Reads overrides as they are written down.
 * @returns undefined where nothing is changed.
 * @throws OverridesInvalid
 */
export const readOverrides = (value: unknown): ChannelOverrides | undefined => {
  const given = readObject(value, "");
  checkValues(given);
  for (const name of Object.keys(given)) if (!FIELDS.has(name)) fail("unknown-field", name);
  const body = readGiven(given.body, readBodyOverride);
  const headers = readGiven(given.headers, readHeaders);
  const systemPrompt = readGiven(given.system_prompt, readPrompt);
  const statusCodes = readGiven(given.status_codes, readStatusCodes);
  const passBody = readSwitch(given.pass_body, "pass_body");
  const cacheMarks = readSwitch(given.cache_marks, "cache_marks");
  const overrides: ChannelOverrides = {
    ...(body && { body }),
    ...(headers && { headers }),
    ...(systemPrompt && { systemPrompt }),
    ...(statusCodes && { statusCodes }),
    ...(passBody && { passBody }),
    ...(cacheMarks && { cacheMarks }),
  };
  checkPassing(overrides);
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
  const { body, headers, systemPrompt, statusCodes, passBody, cacheMarks } = overrides;
  return {
    ...(body ? { body } : {}),
    ...(headers ? { headers } : {}),
    ...(systemPrompt ? { system_prompt: systemPrompt } : {}),
    ...(statusCodes ? { status_codes: statusCodes } : {}),
    ...(passBody ? { pass_body: true } : {}),
    ...(cacheMarks ? { cache_marks: true } : {}),
  };
};

/** The JSON text of overrides; "" where nothing is changed. */
export const encodeOverrides = (overrides: ChannelOverrides | undefined, indent?: number): string =>
  overrides === undefined ? "" : JSON.stringify(writeOverrides(overrides), null, indent);

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
