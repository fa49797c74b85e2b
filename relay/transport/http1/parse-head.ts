import { WANTED_HEADERS } from "../wanted-headers";
import { IS_TOKEN } from "./is-token";
import { MalformedAnswer } from "./malformed-answer";

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const ZERO = 0x30;
const ONE = 0x31;
const NINE = 0x39;
const COLON = 0x3a;
const DEL = 0x7f;

/** A header name to read, and its bytes, which compare four times as fast as the characters of a string. */
interface WantedName {
  name: string;
  bytes: Uint8Array;
}

/** The names that are read, by their length. */
const NAMES: WantedName[][] = [];
for (const name of [...WANTED_HEADERS, "content-length", "transfer-encoding", "connection", "keep-alive"]) {
  const wanted = { name, bytes: Buffer.from(name, "latin1") };
  NAMES[name.length] = [...(NAMES[name.length] ?? []), wanted];
}

/** Options of the header `connection`. */
interface ConnectionOptions {
  isClosed: boolean;
  isKept: boolean;
}

/** 15 digits: always an exact number. */
const MAX_LENGTH_DIGITS = 15;

/** The parsed head of an answer. */
export interface AnswerHead {
  status: number;
  /** The wanted headers, names in lower case; of a repeated header, the last. */
  headers: Record<string, string>;
  /** The value of `content-length`, -1 when it is missing. */
  contentLength: number;
  isChunked: boolean;
  /** The connection may not carry another request after this answer. */
  isLast: boolean;
  /** The upstream's announced lifetime of an idle connection; undefined when it is not announced. */
  keepAliveSeconds: number | undefined;
}

/**
 * Finds the end of a head: the blank line.
 * @param start offset of the head.
 * @param from offset to search from, not before `start`.
 * @returns the offset of the body; -1 when the end has not arrived yet.
 * @throws MalformedAnswer when a line ends without a carriage return: other parsers may take it for the end of a line,
 * so it must not be part of a line here (https://www.rfc-editor.org/rfc/rfc9112#section-2.2).
 */
export const findHeadEnd = (bytes: Uint8Array, start: number, from: number, to: number): number => {
  // After `to` there may be bytes of an earlier read.
  for (let at = bytes.indexOf(LF, from); at !== -1 && at < to; at = bytes.indexOf(LF, at + 1)) {
    if (at === start || bytes[at - 1] !== CR) throw new MalformedAnswer("head-line-without-cr");
    if (at - start >= 3 && bytes[at - 2] === LF) return at + 1;
  }
  return -1;
};

/**
 * Parses the head of an answer, strictly: an invalid head is rejected, without guessing
 * (https://www.rfc-editor.org/rfc/rfc9112#section-4 and the two sections after it).
 * @param end the result of `findHeadEnd`.
 * @throws MalformedAnswer
 */
export const parseHead = (bytes: Buffer, start: number, end: number): AnswerHead => {
  const head: AnswerHead = {
    status: 0,
    headers: {},
    contentLength: -1,
    isChunked: false,
    isLast: false,
    keepAliveSeconds: undefined,
  };
  const connection = { isClosed: false, isKept: false };
  let at = parseStatusLine(bytes, start, head);
  // The last two bytes are the blank line.
  while (at < end - 2) at = parseField(bytes, at, head, connection);
  const isVersion10 = bytes[start + 7] === ZERO;
  // May be understood in two ways (https://www.rfc-editor.org/rfc/rfc9112#section-6.3, number 3).
  if (head.isChunked && head.contentLength !== -1) throw new MalformedAnswer("length-beside-chunks");
  // HTTP/1.0 has no chunks: a sender that uses them anyway may break the framing of later answers.
  head.isLast = (isVersion10 && (head.isChunked || !connection.isKept)) || connection.isClosed;
  return head;
};

const BEGINNING = Buffer.from("HTTP/1.", "latin1");

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE;

/** @returns the offset of the first header. */
const parseStatusLine = (bytes: Buffer, start: number, head: AnswerHead): number => {
  // "HTTP/1.1 200", then a space and a phrase that is ignored, or nothing.
  const minor = bytes[start + 7];
  let isVersion1 = minor === ZERO || minor === ONE;
  for (let i = 0; i < BEGINNING.length; i += 1) if (bytes[start + i] !== BEGINNING[i]) isVersion1 = false;
  const hasStatus =
    bytes[start + 8] === SPACE &&
    isDigit(bytes[start + 9]) &&
    isDigit(bytes[start + 10]) &&
    isDigit(bytes[start + 11]);
  const after = bytes[start + 12];
  if (!isVersion1 || !hasStatus || (after !== SPACE && after !== CR)) {
    throw new MalformedAnswer("status-line-missing");
  }
  head.status =
    ((bytes[start + 9] as number) - ZERO) * 100 +
    ((bytes[start + 10] as number) - ZERO) * 10 +
    ((bytes[start + 11] as number) - ZERO);
  if (head.status < 100) throw new MalformedAnswer("status-below-100");
  return endOfText(bytes, start + 12) + 2;
};

/** The end of a line's text: its CR LF. */
const endOfText = (bytes: Uint8Array, from: number): number => {
  let at = from;
  for (;;) {
    const byte = bytes[at] as number;
    if (byte === CR) break;
    if ((byte < SPACE && byte !== TAB) || byte === DEL) {
      throw new MalformedAnswer("head-control-character");
    }
    at += 1;
  }
  if (bytes[at + 1] !== LF) throw new MalformedAnswer("head-cr-within-line");
  return at;
};

const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB;

const hasTab = (bytes: Uint8Array, from: number, to: number): boolean => {
  for (let at = from; at < to; at += 1) if (bytes[at] === TAB) return true;
  return false;
};

/** @returns the offset of the next header. */
const parseField = (
  bytes: Buffer,
  start: number,
  head: AnswerHead,
  connection: ConnectionOptions,
): number => {
  let colon = start;
  while (IS_TOKEN[bytes[colon] as number] === 1) colon += 1;
  if (colon === start || bytes[colon] !== COLON) {
    throw new MalformedAnswer("head-line-no-header");
  }
  let end = endOfText(bytes, colon + 1);
  const next = end + 2;
  // Node's parser rejects continuation lines, too: one parser's value may be another parser's header.
  if (isBlank(bytes[next])) {
    throw new MalformedAnswer("head-line-folded");
  }
  const name = wantedName(bytes, start, colon - start);
  if (name === undefined) return next;
  // Node's parser does not accept a tab as a blank here and reads to the end of the connection: both readings are
  // rejected.
  if (name === "transfer-encoding" && hasTab(bytes, colon, end)) {
    throw new MalformedAnswer("transfer-coding-beside-tab");
  }
  let from = colon + 1;
  while (from < end && isBlank(bytes[from])) from += 1;
  while (end > from && isBlank(bytes[end - 1])) end -= 1;
  if (name === "content-length") head.contentLength = readLength(bytes, from, end, head.contentLength);
  else if (name === "content-type") head.headers[name] = contentType(bytes, from, end);
  else if (name === "connection")
    readConnection(bytes.toString("latin1", from, end).toLowerCase(), connection);
  else readField(name, bytes.toString("latin1", from, end), head);
  return next;
};

/** The content type that was read last, and its bytes: it is hardly ever another, and to compare is cheaper than to decode. */
let lastType = { bytes: new Uint8Array(), text: "" };

const contentType = (bytes: Buffer, from: number, end: number): string => {
  const known = lastType.bytes;
  let isSame = end - from === known.length;
  for (let i = 0; isSame && i < known.length; i += 1) isSame = bytes[from + i] === known[i];
  if (!isSame)
    lastType = {
      bytes: Uint8Array.from(bytes.subarray(from, end)),
      text: bytes.toString("latin1", from, end),
    };
  return lastType.text;
};

const wantedName = (bytes: Uint8Array, start: number, length: number): string | undefined => {
  const names = NAMES[length];
  if (names === undefined) return undefined;
  for (const wanted of names) if (isName(bytes, start, wanted.bytes)) return wanted.name;
  return undefined;
};

const isName = (bytes: Uint8Array, start: number, name: Uint8Array): boolean => {
  for (let i = 0; i < name.length; i += 1) {
    // Upper case to lower case; the only other bytes of these names, digits and "-", have the bit already.
    if (((bytes[start + i] as number) | 0x20) !== name[i]) return false;
  }
  return true;
};

const readField = (name: string, value: string, head: AnswerHead): void => {
  switch (name) {
    case "transfer-encoding":
      // No other encoding was offered to the upstream (https://www.rfc-editor.org/rfc/rfc9112#section-7).
      if (head.isChunked || value.toLowerCase() !== "chunked") {
        throw new MalformedAnswer("transfer-coding-unknown");
      }
      head.isChunked = true;
      break;
    case "keep-alive":
      head.keepAliveSeconds = readKeepAlive(value);
      break;
    default:
      head.headers[name] = value;
  }
};

const readLength = (bytes: Uint8Array, from: number, end: number, before: number): number => {
  if (end === from || end - from > MAX_LENGTH_DIGITS) {
    throw new MalformedAnswer("length-no-number");
  }
  let length = 0;
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (!isDigit(byte)) throw new MalformedAnswer("length-no-number");
    length = length * 10 + byte - ZERO;
  }
  if (before !== -1 && before !== length) throw new MalformedAnswer("length-twice");
  return length;
};

const readConnection = (value: string, connection: ConnectionOptions): void => {
  for (const option of value.split(",")) {
    const name = option.trim();
    if (name === "close") connection.isClosed = true;
    else if (name === "keep-alive") connection.isKept = true;
  }
};

const readKeepAlive = (value: string): number | undefined => {
  const seconds = /(?:^|[,;\s])timeout=(\d{1,9})/i.exec(value)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
};
