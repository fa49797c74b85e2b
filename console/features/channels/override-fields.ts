import {
  type ChannelOverrides,
  type OverrideFaultCode,
  OverridesInvalid,
  parseOverrides,
  readOverrides,
  type SystemPromptMode,
  writeOverrides,
} from "@tollgate/contract/management/channel-overrides";

/** One line of a table. */
export interface OverridePair {
  from: string;
  to: string;
}

/** A channel's overrides as form fields. */
export interface OverrideFields {
  /** JSON text. */
  body: string;
  /** Name and value. */
  headers: OverridePair[];
  prompt: string;
  promptMode: SystemPromptMode;
  /** An upstream's status and its replacement. */
  statuses: OverridePair[];
  passBody: boolean;
}

/** The form's part with the mistake. */
export type OverridePart = "body" | "headers" | "prompt" | "statuses" | "passBody";

export interface OverrideMistake {
  part: OverridePart;
  code: OverrideFaultCode;
  at: string;
}

export const NO_OVERRIDES: OverrideFields = {
  body: "",
  headers: [],
  prompt: "",
  promptMode: "fill",
  statuses: [],
  passBody: false,
};

const toPairs = (record: Readonly<Record<string, string | number>> = {}): OverridePair[] =>
  Object.entries(record).map(([from, to]) => ({ from, to: String(to) }));

/** The gateway's text as form fields; empty if another server's text has an unknown format. */
export const toOverrideFields = (text: string | undefined): OverrideFields => {
  let overrides: ChannelOverrides | undefined;
  try {
    overrides = parseOverrides(text ?? "");
  } catch {
    overrides = undefined;
  }
  if (!overrides) return NO_OVERRIDES;
  const { body, headers, systemPrompt, statusCodes, passBody } = overrides;
  return {
    body: body ? JSON.stringify(body, null, 2) : "",
    headers: toPairs(headers),
    prompt: systemPrompt?.text ?? "",
    promptMode: systemPrompt?.mode ?? "fill",
    statuses: toPairs(statusCodes),
    passBody: passBody ?? false,
  };
};

const isWritten = ({ from, to }: OverridePair): boolean => from.trim() !== "" || to.trim() !== "";

/** The form's parts in the format to send. */
const partsOf = (fields: OverrideFields) => ({
  ...(fields.headers.some(isWritten)
    ? { headers: Object.fromEntries(fields.headers.filter(isWritten).map(({ from, to }) => [from, to])) }
    : {}),
  ...(fields.prompt.trim() === "" ? {} : { system_prompt: { text: fields.prompt, mode: fields.promptMode } }),
  ...(fields.statuses.some(isWritten)
    ? {
        status_codes: Object.fromEntries(
          fields.statuses.filter(isWritten).map(({ from, to }) => [from.trim(), to.trim()]),
        ),
      }
    : {}),
  ...(fields.passBody ? { pass_body: true } : {}),
});

const parseBody = (text: string): Record<string, unknown> =>
  text.trim() === "" ? {} : { body: JSON.parse(text) as unknown };

const PARTS: readonly [OverridePart, string][] = [
  ["headers", "headers"],
  ["prompt", "system_prompt"],
  ["statuses", "status_codes"],
];

const faultOf = (value: unknown): OverridesInvalid | undefined => {
  try {
    readOverrides(value);
    return undefined;
  } catch (error) {
    if (error instanceof OverridesInvalid) return error;
    throw error;
  }
};

/** The first mistake and its part; undefined without mistakes. */
export const findOverrideMistake = (fields: OverrideFields): OverrideMistake | undefined => {
  const { headers } = fields;
  const names = headers.filter(isWritten).map(({ from }) => from.trim().toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return { part: "headers", code: "header-name", at: twice };
  let body: Record<string, unknown>;
  try {
    body = parseBody(fields.body);
  } catch {
    return { part: "body", code: "not-json", at: "" };
  }
  const inBody = faultOf(body);
  if (inBody) return { part: "body", code: inBody.code, at: inBody.at };
  const parts: Readonly<Record<string, unknown>> = partsOf(fields);
  for (const [part, name] of PARTS) {
    const fault = parts[name] === undefined ? undefined : faultOf({ [name]: parts[name] });
    if (fault) return { part, code: fault.code, at: fault.at };
  }
  const whole = faultOf({ ...body, ...parts });
  return whole && { part: "passBody", code: whole.code, at: whole.at };
};

/** The text to send, from a form without mistakes; "" without overrides. */
export const toOverridesText = (fields: OverrideFields): string => {
  const overrides = readOverrides({ ...parseBody(fields.body), ...partsOf(fields) });
  return overrides ? JSON.stringify(writeOverrides(overrides)) : "";
};
