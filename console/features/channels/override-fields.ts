import {
  type OverrideFaultCode,
  OverridesInvalid,
} from "@tollgate/contract/management/channel-override-checks";
import {
  type ChannelOverrides,
  parseOverrides,
  readOverrides,
  type SystemPromptMode,
  writeOverrides,
} from "@tollgate/contract/management/channel-overrides";
import {
  findJsonMistake,
  formatJson,
  type JsonMistake,
  type JsonNode,
  positionAt,
  readJson,
} from "../../lib/json-text";

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
  cacheMarks: boolean;
  /** All overrides as one JSON text, in place of the other fields; undefined while these are shown. */
  json?: string | undefined;
}

/** The form's part with the mistake. */
export type OverridePart = "json" | "body" | "headers" | "prompt" | "statuses" | "passBody";

export interface OverrideMistake {
  part: OverridePart;
  code: OverrideFaultCode;
  at: string;
  /** Its position in a JSON text. */
  position?: JsonMistake | undefined;
}

export const NO_OVERRIDES: OverrideFields = {
  body: "",
  headers: [],
  prompt: "",
  promptMode: "fill",
  statuses: [],
  passBody: false,
  cacheMarks: false,
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
  const { body, headers, systemPrompt, statusCodes, passBody, cacheMarks } = overrides;
  return {
    body: body ? JSON.stringify(body, null, 2) : "",
    headers: toPairs(headers),
    prompt: systemPrompt?.text ?? "",
    promptMode: systemPrompt?.mode ?? "fill",
    statuses: toPairs(statusCodes),
    passBody: passBody ?? false,
    cacheMarks: cacheMarks ?? false,
  };
};

const isWritten = ({ from, to }: OverridePair): boolean => from.trim() !== "" || to.trim() !== "";

/** A status as a number; another text as it is, to be rejected. */
const toStatus = (text: string): string | number => (/^\d{3}$/.test(text) ? Number(text) : text);

/** The form's parts in the format to send. */
const partsOf = (fields: OverrideFields) => ({
  ...(fields.headers.some(isWritten)
    ? { headers: Object.fromEntries(fields.headers.filter(isWritten).map(({ from, to }) => [from, to])) }
    : {}),
  ...(fields.prompt.trim() === "" ? {} : { system_prompt: { text: fields.prompt, mode: fields.promptMode } }),
  ...(fields.statuses.some(isWritten)
    ? {
        status_codes: Object.fromEntries(
          fields.statuses.filter(isWritten).map(({ from, to }) => [from.trim(), toStatus(to.trim())]),
        ),
      }
    : {}),
  ...(fields.passBody ? { pass_body: true } : {}),
  ...(fields.cacheMarks ? { cache_marks: true } : {}),
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

const findTwice = (pairs: readonly OverridePair[]): string | undefined => {
  const names = pairs.filter(isWritten).map(({ from }) => from.trim().toLowerCase());
  return names.find((name, index) => names.indexOf(name) !== index);
};

/** The position of a field's name in a JSON text. @param at its path; names of headers are in lower case. */
const findName = (json: string, at: string): JsonMistake | undefined => {
  const text = json.toLowerCase();
  const name = [at, at.split(".").at(-1) ?? at]
    .filter((each) => each !== "")
    .map((each) => text.indexOf(JSON.stringify(each).toLowerCase()))
    .find((index) => index >= 0);
  return name === undefined ? undefined : positionAt(json, name);
};

const findMistakeInJson = (json: string): OverrideMistake | undefined => {
  try {
    parseOverrides(json);
    return undefined;
  } catch (error) {
    if (!(error instanceof OverridesInvalid)) throw error;
    const { code, at } = error;
    const position = code === "not-json" ? findJsonMistake(json) : findName(json, at);
    return { part: "json", code, at, position };
  }
};

/** The first mistake and its part; undefined without mistakes. */
export const findOverrideMistake = (fields: OverrideFields): OverrideMistake | undefined => {
  if (fields.json !== undefined) return findMistakeInJson(fields.json);
  const twice = findTwice(fields.headers);
  if (twice !== undefined) return { part: "headers", code: "header-name", at: twice };
  let body: Record<string, unknown>;
  try {
    body = parseBody(fields.body);
  } catch {
    return { part: "body", code: "not-json", at: "", position: findJsonMistake(fields.body) };
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

const toNode = (value: unknown): JsonNode => {
  const read = readJson(JSON.stringify(value));
  if ("mistake" in read) throw new Error("JSON.stringify writes JSON");
  return read.node;
};

/**
 * The fields as one JSON text, mistakes included.
 * @returns undefined if a text cannot hold them: a body that is not JSON, a name that occurs twice.
 */
export const showAsJson = (fields: OverrideFields): OverrideFields | undefined => {
  const body = fields.body.trim() === "" ? undefined : readJson(fields.body);
  if (body && "mistake" in body) return undefined;
  if (findTwice(fields.headers) !== undefined || findTwice(fields.statuses) !== undefined) return undefined;
  // The body is kept as written: numbers have every digit.
  const entries: [string, JsonNode][] = [
    ...(body ? [["body", body.node] satisfies [string, JsonNode]] : []),
    ...Object.entries(partsOf(fields)).map(([name, part]): [string, JsonNode] => [name, toNode(part)]),
  ];
  const json = entries.length === 0 ? "" : formatJson({ kind: "object", entries });
  return { ...NO_OVERRIDES, json };
};

/** The JSON text as fields; undefined while it has a mistake. */
export const showAsForm = (json: string): OverrideFields | undefined => {
  if (findMistakeInJson(json)) return undefined;
  const fields = toOverrideFields(json);
  const read = readJson(json);
  const entries = "node" in read && read.node.kind === "object" ? read.node.entries : [];
  const body = entries.findLast(([name]) => name === "body")?.[1];
  return body && fields.body !== "" ? { ...fields, body: formatJson(body) } : fields;
};

/** The text to send, from a form without mistakes; "" without overrides. */
export const toOverridesText = (fields: OverrideFields): string => {
  const overrides =
    fields.json === undefined
      ? readOverrides({ ...parseBody(fields.body), ...partsOf(fields) })
      : parseOverrides(fields.json);
  return overrides ? JSON.stringify(writeOverrides(overrides)) : "";
};
