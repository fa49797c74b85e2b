import { isUtf8 } from "node:buffer";
import type { OperationInput, Upload } from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { RequestFault } from "@tollgate/contract/relay/request-fault";
import { finishSteps } from "@tollgate/protocols/shared/json/finish-steps";
import { foldName, misspelled } from "@tollgate/protocols/shared/json/json-names";
import { REQUEST_NAMES } from "@tollgate/protocols/shared/request/request-names";
import type { FormShape } from "@tollgate/relay/pipeline/build-operation-call";

/*
 * multipart/form-data (https://www.rfc-editor.org/rfc/rfc7578) of a body that is already in memory. It is parsed in
 * place: files are views of the body, and a field's position is known, so that the model's name can be replaced without
 * writing the form again. Libraries for streams copy every part and do not report its position.
 */

const MAX_PARTS = 200;
const MAX_HEADER_BYTES = 8192;
/** Maximum size of all fields except files: a prompt has some thousand letters. */
const MAX_TEXT_BYTES = 1024 * 1024;
/** https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1 */
const MAX_BOUNDARY = 70;
const CRLF = "\r\n";

export interface ParsedForm {
  input: OperationInput;
  shape: FormShape;
}

const invalid = (fault: RequestFault): RequestInvalid => new RequestInvalid(fault, undefined, "invalid_form");

/** One more parameter of a header. A quote behind a backslash ends the text for some readers and not for others. */
const PARAMETER = /[ \t]*;[ \t]*([^\s=;"]+)=(?:"([^"]*)"(?<!\\")|([^\s;"]*))/y;

/**
 * The parameters of a Content-Type or a Content-Disposition, by their names in lower case.
 * @param from the index of the first one.
 * @throws RequestInvalid when they are malformed, or a name occurs twice.
 */
const readParameters = (header: string, from: number): Map<string, string> => {
  const found = new Map<string, string>();
  PARAMETER.lastIndex = from;
  let end = from;
  for (let match = PARAMETER.exec(header); match; match = PARAMETER.exec(header)) {
    const [, name = "", quoted, plain] = match;
    const key = name.toLowerCase();
    if (found.has(key)) throw invalid({ code: "form-header-twice", name: key });
    found.set(key, quoted ?? plain ?? "");
    end = PARAMETER.lastIndex;
  }
  if (header.slice(end).trim() !== "") throw invalid({ code: "form-header-unreadable" });
  return found;
};

const readBoundary = (contentType: string): string => {
  const type = /^multipart\/form-data[ \t]*(?=;|$)/i.exec(contentType)?.[0];
  if (type === undefined) {
    throw invalid({ code: "not-a-form" });
  }
  const parameters = readParameters(contentType, type.length);
  const boundary = parameters.get("boundary") ?? "";
  if (boundary === "" || boundary.length > MAX_BOUNDARY || parameters.has("boundary*")) {
    throw invalid({ code: "form-boundary-unnamed" });
  }
  return boundary;
};

interface Part {
  name: string;
  /** undefined for a text field. */
  filename: string | undefined;
  start: number;
  end: number;
}

/** The headers of a part by their names in lower case, each on one line. @throws RequestInvalid */
const readHeaders = (text: string): Map<string, string> => {
  const headers = new Map<string, string>();
  for (const line of text.split(CRLF)) {
    if (line === "") continue;
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (!/^[\w-]+$/.test(name) || /[\r\n\0]/.test(line)) throw invalid({ code: "form-header-unreadable" });
    if (headers.has(name)) throw invalid({ code: "form-header-twice", name });
    headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
};

/** Encodings that leave bytes as they are; some readers undo others, some do not. */
const PLAIN_ENCODING = /^(?:7bit|8bit|binary)$/i;
const PLAIN_CHARSET = /^(?:utf-?8|us-ascii)$/i;
/** Names that every parser reads alike. */
const PLAIN_NAME = /^[\x21\x23\x24\x26-\x5b\x5d-\x7e]+$/;

const readHeader = (text: string): { name: string; filename: string | undefined } => {
  const headers = readHeaders(text);
  const disposition = headers.get("content-disposition") ?? "";
  const type = /^form-data(?=[ \t]*(?:;|$))/i.exec(disposition)?.[0];
  if (type === undefined) throw invalid({ code: "form-part-unnamed" });
  const parameters = readParameters(disposition, type.length);
  const name = parameters.get("name");
  if (name === undefined || parameters.has("name*")) throw invalid({ code: "form-part-unnamed" });
  if (!PLAIN_NAME.test(name)) throw invalid({ code: "form-name-not-ascii" });
  const encoding = headers.get("content-transfer-encoding") ?? "binary";
  if (!PLAIN_ENCODING.test(encoding)) throw invalid({ code: "form-part-encoded" });
  const filename = parameters.get("filename") ?? parameters.get("filename*");
  const contentType = headers.get("content-type") ?? "";
  if (/^multipart\//i.test(contentType)) throw invalid({ code: "form-part-nested" });
  const charset = /charset[ \t]*=[ \t]*"?([^\s;"]*)/i.exec(contentType)?.[1];
  if (filename === undefined && charset !== undefined && !PLAIN_CHARSET.test(charset))
    throw invalid({ code: "form-field-not-utf8", name });
  return { name, filename };
};

/** Bytes searched per step: text that resembles a boundary takes ten times as long as other text. */
const STEP_BYTES = 1024 * 1024;

/** The next place of a mark, or -1. */
function* findInSteps(body: Buffer, mark: Buffer, from: number): Generator<undefined, number> {
  for (let start = from; start < body.length; start += STEP_BYTES) {
    if (start > from) yield;
    const found = body.subarray(start, start + STEP_BYTES + mark.length - 1).indexOf(mark);
    if (found !== -1) return start + found;
  }
  return -1;
}

/**
 * Finds the next delimiter: the boundary at the beginning of a line. Parsers differ in their ends of lines, so the
 * boundary may be nowhere else (https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1).
 * @param mark "--" and the boundary.
 * @returns the position of the mark, or -1.
 * @throws RequestInvalid
 */
function* findDelimiter(body: Buffer, mark: Buffer, from: number): Generator<undefined, number> {
  const at = yield* findInSteps(body, mark, from);
  if (at > 0 && body.toString("latin1", Math.max(0, at - 2), at) !== CRLF)
    throw invalid({ code: "form-boundary-misplaced" });
  return at;
}

/** Skips spaces and tabs. @returns the index of the first other byte. */
const skipBlanks = (body: Buffer, from: number): number => {
  let at = from;
  while (at - from < MAX_HEADER_BYTES && (body[at] === 0x20 || body[at] === 0x09)) at += 1;
  return at;
};

/** The parts in their order; undefined where other requests may run. */
function* eachPart(body: Buffer, boundary: string, first: number): Generator<Part | undefined, undefined> {
  const mark = Buffer.from(`--${boundary}`, "latin1");
  let at = first;
  for (;;) {
    let from = at + mark.length;
    const isLast = body.toString("latin1", from, from + 2) === "--";
    // Blanks may follow a boundary.
    from = skipBlanks(body, isLast ? from + 2 : from);
    const isLineEnd = body.toString("latin1", from, from + 2) === CRLF;
    if (!isLineEnd && !(isLast && from >= body.length)) throw invalid({ code: "form-boundary-misplaced" });
    if (isLast) {
      if ((yield* findInSteps(body, mark, from)) !== -1) throw invalid({ code: "form-boundary-misplaced" });
      return undefined;
    }
    const headerSize = body.subarray(from, from + MAX_HEADER_BYTES + 4).indexOf(CRLF + CRLF);
    const headerEnd = from + headerSize;
    if (headerSize === -1) throw invalid({ code: "form-header-unreadable" });
    const start = headerEnd + 4;
    // An empty part's delimiter begins with the line break that ends its header.
    const next = yield* findDelimiter(body, mark, start - 2);
    if (next === -1) throw invalid({ code: "form-incomplete" });
    const end = Math.max(start, next - CRLF.length);
    yield { ...readHeader(body.toString("utf8", from, headerEnd)), start, end };
    at = next;
  }
}

/** Fields of one value that are read here; in a list, or as a file, some readers would find them and some not. */
const SCALARS = new Set(["model", "n", "size", "quality", "stream", "response_format", "prompt", "language"]);

/** Lists, and pictures, of which several are allowed. */
const mayRepeat = (name: string, filename: string | undefined): boolean =>
  name.endsWith("[]") || (filename !== undefined && name === "image");

/** Refuses names that some parser reads differently. */
const refuseOtherReadings = (name: string, filename: string | undefined): void => {
  const base = foldName(name.replace(/\[.*$/s, ""), false);
  const known = misspelled(name, REQUEST_NAMES.snake);
  if (known !== undefined || (SCALARS.has(base) && name !== base))
    throw invalid({ code: "form-field-misnamed", name, other: known ?? base });
  if (filename !== undefined && SCALARS.has(base)) throw invalid({ code: "form-field-is-file", name });
};

const SWITCH_TEXTS: ReadonlySet<unknown> = new Set([undefined, "true", "false", ""]);

/** @throws RequestInvalid when readers could take it for another text. */
const readField = (name: string, bytes: Buffer): string => {
  const text = bytes.toString("utf8");
  if (!isUtf8(bytes) || (name === "_charset_" && !PLAIN_CHARSET.test(text)))
    throw invalid({ code: "form-field-not-utf8", name });
  return text;
};

/**
 * Reads a form in steps between which other requests run. A form that readers could take in different ways is refused: the
 * price and the upstream could see different values.
 * @param contentType the request's Content-Type.
 * @throws RequestInvalid when it is no form, is broken, has a field twice, or can be read in two ways.
 */
export function* parseFormInSteps(body: Buffer, contentType: string): Generator<undefined, ParsedForm> {
  const boundary = readBoundary(contentType);
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const uploads: Upload[] = [];
  // Bytes before the first delimiter are not a part.
  const first = yield* findDelimiter(body, Buffer.from(`--${boundary}`, "latin1"), 0);
  if (first === -1) throw invalid({ code: "form-boundary-absent" });
  const shape: FormShape = { contentType, boundary, start: first, model: undefined };
  const names = new Set<string>();
  let parts = 0;
  let textBytes = 0;
  for (const part of eachPart(body, boundary, first)) {
    if (!part) {
      yield;
      continue;
    }
    const { name, filename, start, end } = part;
    parts += 1;
    if (parts > MAX_PARTS) throw invalid({ code: "form-too-many-parts", max: MAX_PARTS });
    refuseOtherReadings(name, filename);
    const folded = foldName(name, false);
    if (names.has(folded) && !mayRepeat(name, filename)) throw invalid({ code: "form-field-twice", name });
    names.add(folded);
    const bytes = body.subarray(start, end);
    if (filename !== undefined) {
      uploads.push({ field: name, filename, bytes });
      continue;
    }
    textBytes += bytes.length;
    if (textBytes > MAX_TEXT_BYTES) throw invalid({ code: "form-fields-too-large", max: MAX_TEXT_BYTES });
    fields[name] = readField(name, bytes);
    if (name === "model") shape.model = { start, end };
  }
  // Some readers take 1, on or True for true.
  if (!SWITCH_TEXTS.has(fields.stream))
    throw new RequestInvalid(
      { code: "wrong-type", field: "stream", expected: "true-or-false" },
      undefined,
      "invalid_form",
    );
  return { input: { fields, uploads }, shape };
}

/** @see parseFormInSteps */
export const parseForm = (body: Buffer, contentType: string): ParsedForm =>
  finishSteps(parseFormInSteps(body, contentType));
