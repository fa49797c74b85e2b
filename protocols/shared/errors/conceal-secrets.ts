/*
 * Patterns (scrub-message.ts) recognize keys by their format. This file conceals known secrets: of any format, and in
 * every encoding in which an upstream may repeat them.
 */

/** Replaces a secret. */
const PLACE = "[key]";

/** Shorter texts are too likely to be words. */
const MIN_SECRET = 6;

/**
 * A piece of so many characters gives a secret away: half of one that was cut is replaced, the ends that vendors leave of
 * a masked one ("sk-ab…wxyz") are not.
 */
const PIECE = 12;
/** The same length, encoded in base64 and in hexadecimal. */
const PIECE_BASE64 = 16;
const PIECE_HEX = 24;

/** Regions are parts of some keys, and words of many messages: "us-east-1". */
const REGION =
  /^(?:us|eu|ap|sa|ca|me|af|il|cn|mx|asia|europe|northamerica|southamerica|australia|africa)(?:-[a-z]+)+-?\d+$/;

/** More is not searched: no message that is shown is so long. */
const MAX_SEARCHED_UNITS = 16_384;

/** Maximum levels of nested escaping. */
const MAX_ROUNDS = 3;

/** Escapes of addresses, of JSON and JavaScript, of HTML. */
const ESCAPE =
  /%([0-9a-f]{2})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|&(amp|lt|gt|quot|apos|sol|plus|equals);|\\(["'\\/])/gi;

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  sol: "/",
  plus: "+",
  equals: "=",
};

/** A text, and the original position of each of its characters. */
interface View {
  text: string;
  starts: number[];
  ends: number[];
}

const decodeEscape = (match: RegExpExecArray): string => {
  const [, percent, unicode, hex, entityHex, entity, name, plain] = match;
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? match[0];
  if (plain !== undefined) return plain;
  const digits = percent ?? unicode ?? hex ?? entityHex;
  const code = digits === undefined ? Number(entity) : Number.parseInt(digits, 16);
  // Secrets are ASCII: any other character only needs its length.
  return code < 0x80 ? String.fromCharCode(code) : "\u00ff";
};

/** Decodes the escapes of a text once. @returns undefined without any. */
const decodeOnce = (view: View): View | undefined => {
  const starts: number[] = [];
  const ends: number[] = [];
  let text = "";
  let from = 0;
  const copy = (to: number): void => {
    text += view.text.slice(from, to);
    for (let i = from; i < to; i += 1) {
      starts.push(view.starts[i] ?? 0);
      ends.push(view.ends[i] ?? 0);
    }
  };
  ESCAPE.lastIndex = 0;
  for (let match = ESCAPE.exec(view.text); match !== null; match = ESCAPE.exec(view.text)) {
    copy(match.index);
    from = match.index + match[0].length;
    text += decodeEscape(match);
    starts.push(view.starts[match.index] ?? 0);
    ends.push(view.ends[from - 1] ?? 0);
  }
  if (from === 0) return undefined;
  copy(view.text.length);
  return { text, starts, ends };
};

/** Upper and lower case are one, and so are the two alphabets of base64. Every character stays one. */
const fold = (text: string): string =>
  text
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replace(/[-_]/g, (sign) => (sign === "-" ? "+" : "/"));

/** The parts of a text's base64 that do not depend on the surrounding bytes, for its three possible alignments. */
const base64Forms = (text: string): string[] =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text, "utf8")]);
    const whole = Math.floor((bytes.length * 8) / 6);
    return bytes.toString("base64").slice(Math.ceil((before * 8) / 6), whole);
  });

class Concealer {
  /** Pieces that identify a secret, by length. */
  private readonly pieces = new Map<number, Set<string>>();

  constructor(secrets: readonly string[]) {
    for (const secret of secrets) {
      if (secret.length < MIN_SECRET || REGION.test(secret)) continue;
      this.add(secret, PIECE);
      for (const form of base64Forms(secret)) this.add(form, PIECE_BASE64);
      this.add(Buffer.from(secret, "utf8").toString("hex"), PIECE_HEX);
    }
  }

  conceal(text: string): string {
    if (this.pieces.size === 0 || text.length < MIN_SECRET) return text;
    const searched = text.length > MAX_SEARCHED_UNITS ? `${text.slice(0, MAX_SEARCHED_UNITS)}…` : text;
    const starts = Array.from({ length: searched.length }, (_, index) => index);
    let view: View | undefined = { text: searched, starts, ends: starts.map((start) => start + 1) };
    const isSecret = new Uint8Array(searched.length);
    let isFound = false;
    for (let round = 0; round <= MAX_ROUNDS && view !== undefined; round += 1) {
      isFound = this.mark(view, isSecret) || isFound;
      view = decodeOnce(view);
    }
    return isFound ? replaceMarked(searched, isSecret) : searched;
  }

  private add(form: string, length: number): void {
    const folded = fold(form);
    const size = Math.min(folded.length, length);
    if (size < MIN_SECRET) return;
    const known = this.pieces.get(size) ?? new Set();
    for (let i = 0; i + size <= folded.length; i += 1) known.add(folded.slice(i, i + size));
    this.pieces.set(size, known);
  }

  private mark({ text, starts, ends }: View, isSecret: Uint8Array): boolean {
    const folded = fold(text);
    let isFound = false;
    for (const [size, known] of this.pieces) {
      for (let i = 0; i + size <= folded.length; i += 1) {
        if (!known.has(folded.slice(i, i + size))) continue;
        isSecret.fill(1, starts[i], ends[i + size - 1]);
        isFound = true;
      }
    }
    return isFound;
  }
}

const replaceMarked = (text: string, isSecret: Uint8Array): string => {
  let out = "";
  for (let i = 0; i < text.length; ) {
    const isMarked = isSecret[i] === 1;
    let end = i + 1;
    while (end < text.length && (isSecret[end] === 1) === isMarked) end += 1;
    out += isMarked ? PLACE : text.slice(i, end);
    i = end;
  }
  return out;
};

/**
 * Creates a function that removes secrets from any text: unchanged, in upper or lower case, escaped for addresses, JSON
 * or HTML (once or several times), in base64 of either alphabet at any alignment, in hexadecimal; also a usable piece
 * of one. Masked secrets stay.
 * @param secrets in clear; short ones and regions are ignored. All work is deferred until the first text.
 */
export const createConcealer = (secrets: readonly string[]): ((text: string) => string) => {
  let concealer: Concealer | undefined;
  return (text) => {
    concealer ??= new Concealer(secrets);
    return concealer.conceal(text);
  };
};
