import type { OperationInput, Upload } from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { FormShape } from "@tollgate/relay/pipeline/build-operation-call";

/*
 * multipart/form-data (https://www.rfc-editor.org/rfc/rfc7578) of a body that is in memory anyway. It is read in place:
 * files are views of the body, and a field's place is known, so that the model's name can be replaced without writing the
 * form anew. Libraries for streams copy every part and do not tell where it stood.
 */

const MAX_PARTS = 200;
const MAX_HEADER_BYTES = 8192;
/** https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1 */
const MAX_BOUNDARY = 70;
const CRLF = "\r\n";

export interface ParsedForm {
  input: OperationInput;
  shape: FormShape;
}

const invalid = (reason: string): RequestInvalid =>
  new RequestInvalid(`the form cannot be read: ${reason}`, undefined, "invalid_form");

const readBoundary = (contentType: string): string => {
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(contentType)) {
    throw new RequestInvalid(
      "this endpoint takes multipart/form-data: send the file as a form field",
      undefined,
      "invalid_form",
    );
  }
  const match = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined || boundary.length > MAX_BOUNDARY) {
    throw invalid("its Content-Type names no boundary");
  }
  return boundary;
};

/** A parameter of Content-Disposition, quoted or not; undefined when it is missing. */
const readParameter = (disposition: string, name: string): string | undefined => {
  const match = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;]+))`, "i").exec(disposition);
  return match?.[1]?.replace(/\\(.)/g, "$1") ?? match?.[2];
};

interface Part {
  name: string;
  /** undefined for a text field. */
  filename: string | undefined;
  start: number;
  end: number;
}

const readHeader = (header: string): { name: string; filename: string | undefined } => {
  const disposition = header.split(CRLF).find((line) => /^content-disposition\s*:/i.test(line));
  const name = disposition === undefined ? undefined : readParameter(disposition, "name");
  if (disposition === undefined || name === undefined) throw invalid("a part has no name");
  const filename = readParameter(disposition, "filename") ?? readParameter(disposition, "filename\\*");
  return { name, filename };
};

/** The next line that is a delimiter: at the very beginning, or after a line break. @returns -1 when there is none. */
const findDelimiter = (body: Buffer, delimiter: Buffer, from: number): number => {
  if (from === 0 && body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))) return -2;
  return body.indexOf(delimiter, from);
};

function* eachPart(body: Buffer, boundary: string): Generator<Part> {
  const delimiter = Buffer.from(`${CRLF}--${boundary}`, "latin1");
  // What precedes the first delimiter is no part.
  let at = findDelimiter(body, delimiter, 0);
  if (at === -1) throw invalid("its boundary does not occur");
  for (;;) {
    let from = at + delimiter.length;
    if (body.toString("latin1", from, from + 2) === "--") return;
    // Blanks may follow a boundary.
    while (body[from] === 0x20 || body[from] === 0x09) from += 1;
    if (body.toString("latin1", from, from + 2) !== CRLF)
      throw invalid("a boundary is followed by something else");
    const headerEnd = body.indexOf(CRLF + CRLF, from);
    if (headerEnd === -1 || headerEnd - from > MAX_HEADER_BYTES)
      throw invalid("a part's header does not end");
    const start = headerEnd + 4;
    // An empty part's delimiter begins with the line break that ends its header.
    const end = body.indexOf(delimiter, start - 2);
    if (end === -1) throw invalid("it did not arrive whole");
    yield { ...readHeader(body.toString("utf8", from, headerEnd)), start, end: Math.max(start, end) };
    at = end;
  }
}

/**
 * Reads a form.
 * @param contentType the request's Content-Type.
 * @throws RequestInvalid when it is no form, is broken, or has a field twice.
 */
export const parseForm = (body: Buffer, contentType: string): ParsedForm => {
  const boundary = readBoundary(contentType);
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const uploads: Upload[] = [];
  const shape: FormShape = { contentType, boundary, model: undefined };
  let parts = 0;
  for (const { name, filename, start, end } of eachPart(body, boundary)) {
    parts += 1;
    if (parts > MAX_PARTS) throw invalid(`it has more than ${MAX_PARTS} parts`);
    if (filename !== undefined) {
      uploads.push({ field: name, filename, bytes: body.subarray(start, end) });
      continue;
    }
    // Which of two values counts is for each reader to guess: the price and the upstream could see different ones.
    if (name in fields && !name.endsWith("[]"))
      throw invalid(`the field ${name.slice(0, 64)} stands in it twice`);
    fields[name] = body.toString("utf8", start, end);
    if (name === "model") shape.model = { start, end };
  }
  return { input: { fields, uploads }, shape };
};
