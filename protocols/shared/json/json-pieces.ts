/*
 * Parsing a text of many megabytes takes a tenth of a second, especially long lists of numbers. So such a text is cut
 * at commas of lists and objects, and each piece is parsed separately.
 */

/** A list or an object that is larger than a piece. Both places are those of its brackets. */
interface LargeContainer {
  start: number;
  end: number;
  /** The commas at which it is cut; between two of them there is one large value, or several small ones. */
  cuts: readonly number[];
}

/** A list or an object that is still open. */
interface OpenContainer {
  start: number;
  cuts: number[];
  lastCut: number;
  lastComma: number;
}

/** Finds the positions for cutting a text, from the brackets and commas that a scan reports. */
export class JsonCuts {
  /** By the offset of the opening bracket. */
  readonly large = new Map<number, LargeContainer>();
  private readonly open: OpenContainer[] = [];

  /** @param pieceBytes approximate maximum length of a piece: longer lists and objects are cut. */
  constructor(readonly pieceBytes: number) {}

  /** Whether every list and object has ended. */
  get isWhole(): boolean {
    return this.open.length === 0;
  }

  onOpen(at: number): void {
    this.open.push({ start: at, cuts: [], lastCut: at, lastComma: at });
  }

  onComma(at: number): void {
    const innermost = this.open.at(-1);
    if (!innermost) return;
    innermost.lastComma = at;
    if (at - innermost.lastCut > this.pieceBytes) cut(innermost, at);
  }

  onClose(at: number): void {
    const closed = this.open.pop();
    if (!closed || at - closed.start <= this.pieceBytes) return;
    this.large.set(closed.start, { start: closed.start, end: at, cuts: closed.cuts });
    // The text before it in the enclosing list or object is not part of its piece.
    const around = this.open.at(-1);
    if (around && around.lastComma > around.lastCut) cut(around, around.lastComma);
  }
}

const cut = (container: OpenContainer, at: number): void => {
  container.cuts.push(at);
  container.lastCut = at;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** https://www.rfc-editor.org/rfc/rfc8259#section-2 */
const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The first offset from `from` on that is not blank; `to` without one. */
export const skipBlanks = (bytes: Uint8Array, from: number, to: number): number => {
  let at = from;
  while (at < to && isBlank(bytes[at])) at += 1;
  return at;
};

const unexpected = (at: number): SyntaxError => new SyntaxError(`Unexpected token in JSON at position ${at}`);

/** The offset of the quote that ends a string. @param from start of its content. */
const endOfString = (bytes: Uint8Array, from: number, to: number): number => {
  for (let at = from; at < to; at += 1) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at += 1;
  }
  return to;
};

/** `__proto__` is a name like any other here, as it is to JSON.parse. */
const setField = (record: Record<string, unknown>, name: string, value: unknown): void => {
  if (name === "__proto__")
    Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
  else record[name] = value;
};

/** Bytes parsed before other requests get a turn: some milliseconds. */
const TURN_BYTES = 256 * 1024;

/** Parses a text by its pieces. */
export class PieceParser {
  /** Bytes parsed since the last turn of other requests. */
  private sinceTurn = 0;

  /**
   * @param cuts of a scan over the complete text.
   * @param parseText parses a range, with a text before and after it.
   */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly cuts: JsonCuts,
    private readonly parseText: (
      before: string,
      from: number,
      to: number,
      after: string,
    ) => Generator<undefined, unknown>,
  ) {}

  /** @returns the value that the text means. @throws SyntaxError when it is no JSON. */
  *parse(): Generator<undefined, unknown> {
    const { bytes, cuts } = this;
    if (!cuts.isWhole) throw new SyntaxError("Unexpected end of JSON input");
    const whole = cuts.large.get(skipBlanks(bytes, 0, bytes.length));
    if (!whole) return yield* this.parseText("", 0, bytes.length, "");
    const value = yield* this.container(whole);
    this.requireEnd(whole.end + 1, bytes.length);
    return value;
  }

  private container(container: LargeContainer): Generator<undefined, unknown> {
    return this.bytes[container.start] === OPEN_LIST ? this.list(container) : this.record(container);
  }

  private *list({ start, end, cuts }: LargeContainer): Generator<undefined, unknown[]> {
    if (this.bytes[end] !== CLOSE_LIST) throw unexpected(end);
    const list: unknown[] = [];
    let from = start + 1;
    for (const to of [...cuts, end]) {
      const inner = this.cuts.large.get(skipBlanks(this.bytes, from, to));
      if (inner) {
        list.push(yield* this.container(inner));
        this.requireEnd(inner.end + 1, to);
      } else {
        const items = (yield* this.piece("[", from, to, "]")) as unknown[];
        // Values are required between two commas.
        if (items.length === 0 && cuts.length > 0) throw unexpected(to);
        for (const item of items) list.push(item);
      }
      from = to + 1;
    }
    return list;
  }

  private *record({ start, end, cuts }: LargeContainer): Generator<undefined, Record<string, unknown>> {
    if (this.bytes[end] !== CLOSE_OBJECT) throw unexpected(end);
    const record: Record<string, unknown> = {};
    let from = start + 1;
    for (const to of [...cuts, end]) {
      const value = this.largeField(from, to);
      if (value) {
        const name = yield* this.parseText("", from, value.nameEnd, "");
        setField(record, name as string, yield* this.container(value.inner));
        this.requireEnd(value.inner.end + 1, to);
      } else {
        const fields = (yield* this.piece("{", from, to, "}")) as Record<string, unknown>;
        const names = Object.keys(fields);
        if (names.length === 0 && cuts.length > 0) throw unexpected(to);
        for (const name of names) setField(record, name, fields[name]);
      }
      from = to + 1;
    }
    return record;
  }

  /** The field at a large value; undefined when the range contains only small fields. */
  private largeField(from: number, to: number): { nameEnd: number; inner: LargeContainer } | undefined {
    const { bytes, cuts } = this;
    if (to - from <= cuts.pieceBytes) return undefined;
    const start = skipBlanks(bytes, from, to);
    if (bytes[start] !== QUOTE) return undefined;
    const nameEnd = endOfString(bytes, start + 1, to) + 1;
    const colon = skipBlanks(bytes, nameEnd, to);
    const inner = bytes[colon] === COLON ? cuts.large.get(skipBlanks(bytes, colon + 1, to)) : undefined;
    return inner && { nameEnd, inner };
  }

  private *piece(before: string, from: number, to: number, after: string): Generator<undefined, unknown> {
    if (this.sinceTurn + to - from > TURN_BYTES) {
      this.sinceTurn = 0;
      yield;
    }
    this.sinceTurn += to - from;
    return yield* this.parseText(before, from, to, after);
  }

  private requireEnd(from: number, to: number): void {
    const at = skipBlanks(this.bytes, from, to);
    if (at < to) throw unexpected(at);
  }
}
