import { foldName, isBrokenName, misspelled, type NameRules } from "./json-names";
import type { JsonCuts } from "./json-pieces";

/*
 * Scans the bytes of a JSON text before it is parsed. The scan counts the values a parser would create, so that no text
 * costs more than its size suggests, and finds names that two parsers could read differently. Invalid JSON passes,
 * because the parser gives a better error.
 */

/** Limits of a JSON text. */
export interface JsonBounds {
  /** Lists and objects within each other. */
  maxDepth: number;
  /** Values of every kind, lists and objects included. */
  maxValues: number;
  /** Number of lists and objects, each of which costs a parser as much as a dozen numbers. */
  maxContainers: number;
  /** Names in objects; one that has to be decoded for comparing it counts for several. */
  maxNames: number;
  /**
   * Different beginnings of objects (their names in order): a parser creates a class for each, which takes
   * microseconds.
   */
  maxShapes: number;
  /** Escapes in strings. */
  maxEscapes: number;
  /** Bytes outside of strings. */
  maxLooseBytes: number;
}

/** Google's own parsers stop at 100 (https://protobuf.dev/programming-guides/proto-limits/). */
export const MAX_JSON_DEPTH = 128;

/**
 * Limits of a request or an answer: above the largest sensible ones, which are embeddings of 300,000 token numbers
 * (https://platform.openai.com/docs/api-reference/embeddings/create), conversations of ten thousand steps, hundreds of
 * tools and two million Chinese characters as escapes; and low enough to be parsed in some tens of milliseconds.
 */
export const JSON_BOUNDS: JsonBounds = {
  maxDepth: MAX_JSON_DEPTH,
  maxValues: 400_000,
  maxContainers: 400_000,
  maxNames: 100_000,
  maxShapes: 16_384,
  maxEscapes: 2_000_000,
  maxLooseBytes: 6_000_000,
};

/** Why a JSON text is not to be parsed. `name` as the text means it, shortened. */
export type JsonFault =
  | { kind: "too-deep"; max: number }
  | { kind: "too-much"; what: "values" | "names" | "shapes" | "escapes" | "loose bytes"; max: number }
  | { kind: "name-twice"; name: string; other: string }
  | { kind: "name-misspelled"; name: string; known: string }
  | { kind: "name-broken"; name: string };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const UNDERSCORE = 0x5f;
const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_LIST = 0x5d;
const SPACE = 0x20;
const LINE_FEED = 0x0a;

/** From this many bytes on, the built-in search for the end of a string is faster than a loop. */
const SHORT_STRING = 24;
/** If escapes are this close together, the loop is faster again. */
const NEAR_ESCAPE = 256;
const LONGEST_LOOP = 4096;
/** Minimum length of a name that starts another shape: `"":1,`. */
const LEAST_SHAPE_BYTES = 5;
/** From this many names on, an object gets an index of them. */
const FEW_NAMES = 12;
/** Maximum reported length of a name. */
const MAX_SHOWN_CHARACTERS = 64;
/**
 * Costs, counted against maxNames, of a name that must be decoded, and of one that must also be folded letter by
 * letter.
 */
const DECODED_COST = 2;
const FOLDED_COST = 8;

/** Finds the ends of strings, and counts the escapes in them. */
class Strings {
  escapes = 0;
  /** The offset to continue at in an unfinished string. */
  next = 0;
  /**
   * The next quote and the next backslash from the last requested offset on. Each is searched once and kept until it is
   * passed, so that all searches together read the text once.
   */
  private nextQuote = -1;
  private nextBackslash = -1;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly maxEscapes: number,
  ) {}

  /**
   * @param from the first byte of a string's content, or `next`.
   * @param to approximate offset to stop at.
   * @returns the offset of the closing quote; the text's end when it is missing, or there are too many escapes;
   * undefined when it stopped before.
   */
  endOf(from: number, to: number): number | undefined {
    const { bytes } = this;
    const { length } = bytes;
    let at = from;
    let loop = SHORT_STRING;
    for (;;) {
      const loopEnd = Math.min(at + loop, length);
      for (; at < loopEnd; at += 1) {
        const byte = bytes[at] as number;
        // A fast path: most bytes are neither.
        if (byte !== QUOTE && byte !== BACKSLASH) continue;
        if (byte === QUOTE) return at;
        this.escapes += 1;
        at += 1;
      }
      if (at >= length || this.escapes > this.maxEscapes) return length;
      if (at >= to) {
        this.next = at;
        return undefined;
      }
      if (this.nextQuote < at) this.nextQuote = this.find(QUOTE, at);
      if (this.nextBackslash < at) this.nextBackslash = this.find(BACKSLASH, at);
      if (this.nextBackslash >= this.nextQuote) return this.nextQuote;
      if (this.nextBackslash - at < NEAR_ESCAPE) loop = Math.min(2 * loop, LONGEST_LOOP);
      at = this.nextBackslash;
    }
  }

  private find(byte: number, from: number): number {
    const found = this.bytes.indexOf(byte, from);
    return found === -1 ? this.bytes.length : found;
  }
}

/** Marks of objects, and of objects or lists with user-defined names. */
const IS_OBJECT = 1;
const IS_FREE = 2;

/** From this many names on, a scan's buffers are not kept for the next one. */
const MAX_KEPT_NAMES = 1024;

/** Buffers of a scan. They are reused by the next one: allocating them again takes as long as scanning a small text. */
class ScanRoom {
  /** For each open object or list, by depth: its kind, and a hash of its names so far, in order. */
  readonly kinds = new Uint8Array(MAX_JSON_DEPTH);
  readonly shapes = new Int32Array(MAX_JSON_DEPTH);
  /** Index of its first name among those of all open objects. */
  readonly firstNames = new Int32Array(MAX_JSON_DEPTH);
  /** The names of all open objects: a hash of each, and its offset. */
  hashes = new Int32Array(32);
  starts = new Int32Array(32);
  ends = new Int32Array(32);

  /** Makes room for more names. */
  grow(): void {
    this.hashes = enlarge(this.hashes);
    this.starts = enlarge(this.starts);
    this.ends = enlarge(this.ends);
  }
}

const enlarge = (numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
};

/** Left by the last scan that ended. */
let spareRoom: ScanRoom | undefined;

/** The last used rules, with the hashes of their free names. */
let knownRules: NameRules | undefined;
let freeObjects: ReadonlySet<number> = new Set();
let freeLists: ReadonlySet<number> = new Set();

const knowRules = (rules: NameRules): void => {
  const hashesOf = (names: ReadonlySet<string>): ReadonlySet<number> =>
    new Set([...names].map((name) => hashOf(foldName(name, rules.ignoresUnderscores))));
  knownRules = rules;
  freeObjects = hashesOf(rules.free);
  freeLists = hashesOf(rules.freeLists);
};

const utf8 = new TextDecoder();

/** The objects and lists that are open, and the names in them. */
class OpenNames {
  /** Cost of the names so far. */
  cost = 0;
  depth = 0;
  /** Whether the innermost of them is an object. */
  isInObject = false;
  /** Number of its names so far. */
  private count = 0;
  private isOver = false;
  private readonly room: ScanRoom;
  /** For an object with many names: its folded names, each with its original spelling. By depth. */
  private readonly indexes: (Map<string, string> | undefined)[] = [];
  /** Undefined when the text is too short to contain too many. */
  private readonly shapes: Set<number> | undefined;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly rules: NameRules | undefined,
    maxShapes: number,
  ) {
    this.room = spareRoom ?? new ScanRoom();
    spareRoom = undefined;
    if (bytes.length > maxShapes * LEAST_SHAPE_BYTES) this.shapes = new Set();
  }

  /** Number of different beginnings of objects. */
  get shapeCount(): number {
    return this.shapes?.size ?? 0;
  }

  /** Releases the buffers. */
  end(): void {
    // Released twice, it would serve two other scans at the same time.
    if (!this.isOver && this.room.hashes.length <= MAX_KEPT_NAMES) spareRoom = this.room;
    this.isOver = true;
  }

  /** An object or a list starts; no more than MAX_JSON_DEPTH may be open. */
  open(isObject: boolean): void {
    const { room, depth } = this;
    const around = depth === 0 ? 0 : (room.kinds[depth - 1] as number);
    const isFree = (around & IS_FREE) !== 0 || (this.isInObject && this.isLastFree(isObject));
    room.kinds[depth] = (isObject ? IS_OBJECT : 0) | (isFree ? IS_FREE : 0);
    room.firstNames[depth] = this.count;
    room.shapes[depth] = 0;
    if (this.indexes.length > depth) this.indexes[depth] = undefined;
    this.depth = depth + 1;
    this.isInObject = isObject;
  }

  /** The innermost object or list ends. */
  close(): void {
    if (this.depth === 0) return;
    const { room } = this;
    const depth = this.depth - 1;
    this.depth = depth;
    this.count = room.firstNames[depth] as number;
    this.isInObject = depth > 0 && ((room.kinds[depth - 1] as number) & IS_OBJECT) !== 0;
  }

  /** Whether the value of the innermost object's last name has user-defined names, as an object or as a list. */
  private isLastFree(isObject: boolean): boolean {
    const { rules, room, depth } = this;
    const last = this.count - 1;
    if (rules === undefined || last < (room.firstNames[depth - 1] as number)) return false;
    if (rules !== knownRules) knowRules(rules);
    return (
      (isObject ? freeObjects : freeLists).has(room.hashes[last] as number) &&
      // At the top `input` is the protocol's.
      (depth > 1 || this.nameAt(last) !== "input")
    );
  }

  /** Checks a name of the innermost object, from `start` to `end`. @returns its fault. */
  read(start: number, end: number): JsonFault | undefined {
    const { bytes, rules, room } = this;
    const innermost = this.depth - 1;
    const isFree = ((room.kinds[innermost] as number) & IS_FREE) !== 0;
    const skipsUnderscores = rules?.ignoresUnderscores ?? false;
    let hash = 0;
    let isPlain = true;
    let hasCapital = false;
    for (let at = start; at < end; at += 1) {
      let byte = bytes[at] as number;
      if (byte >= 0x80 || byte === BACKSLASH) {
        isPlain = false;
        // Without rules a hash is for counting shapes only.
        if (rules) break;
      }
      if (byte >= 0x41 && byte <= 0x5a) {
        byte += 0x20;
        hasCapital = true;
      } else if (byte === UNDERSCORE && skipsUnderscores) continue;
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    this.cost += 1;
    if (rules) {
      if (!isPlain || ((hasCapital || skipsUnderscores) && !isFree)) {
        const name = this.decode(start, end);
        // An undecodable name is not JSON.
        if (name === undefined) return undefined;
        this.cost += isPlain ? DECODED_COST - 1 : FOLDED_COST - 1;
        if (!isPlain) {
          if (isBrokenName(name)) return { kind: "name-broken", name: cut(name) };
          hash = hashOf(foldName(name, skipsUnderscores));
        }
        const known = isFree ? undefined : misspelled(name, rules);
        if (known !== undefined) return { kind: "name-misspelled", name: cut(name), known };
      }
      const fault = this.add(hash, start, end, isFree, rules);
      if (fault) return fault;
    }
    if (this.shapes) {
      const shape = (Math.imul(room.shapes[innermost] as number, 16_777_619) ^ hash) | 0;
      room.shapes[innermost] = shape;
      this.shapes.add(shape);
    }
    return undefined;
  }

  private add(
    hash: number,
    start: number,
    end: number,
    isFree: boolean,
    rules: NameRules,
  ): JsonFault | undefined {
    const { room } = this;
    const firstName = room.firstNames[this.depth - 1] as number;
    const place = this.count;
    this.count = place + 1;
    if (place === room.hashes.length) room.grow();
    const { hashes } = room;
    hashes[place] = hash;
    room.starts[place] = start;
    room.ends[place] = end;
    if (place - firstName >= FEW_NAMES) return this.addToMany(firstName, place, isFree, rules);
    for (let other = firstName; other < place; other += 1) {
      if (hashes[other] !== hash) continue;
      const first = this.nameAt(other);
      const second = this.nameAt(place);
      // A hash may be shared by different names.
      if (
        first !== undefined &&
        second !== undefined &&
        keyOf(first, isFree, rules) === keyOf(second, isFree, rules)
      )
        return twice(second, first);
    }
    return undefined;
  }

  /** The same in an object with many names. */
  private addToMany(
    firstName: number,
    place: number,
    isFree: boolean,
    rules: NameRules,
  ): JsonFault | undefined {
    let from = place;
    let index = this.indexes[this.depth - 1];
    if (!index) {
      index = new Map();
      this.indexes[this.depth - 1] = index;
      from = firstName;
    }
    for (let other = from; other <= place; other += 1) {
      const name = this.nameAt(other);
      if (name === undefined) continue;
      const key = keyOf(name, isFree, rules);
      const earlier = index.get(key);
      if (earlier !== undefined) return twice(name, earlier);
      index.set(key, name);
    }
    return undefined;
  }

  private nameAt(place: number): string | undefined {
    return this.decode(this.room.starts[place] as number, this.room.ends[place] as number);
  }

  private decode(start: number, end: number): string | undefined {
    const text = utf8.decode(this.bytes.subarray(start, end));
    if (!text.includes("\\")) return text;
    try {
      return JSON.parse(`"${text}"`) as string;
    } catch {
      return undefined;
    }
  }
}

/** Names with the same key are one name to some reader. */
const keyOf = (name: string, isFree: boolean, { ignoresUnderscores }: NameRules): string =>
  isFree ? name : foldName(name, ignoresUnderscores);

const twice = (name: string, other: string): JsonFault => ({
  kind: "name-twice",
  name: cut(name),
  other: cut(other),
});

const cut = (name: string): string => name.slice(0, MAX_SHOWN_CHARACTERS);

const hashOf = (folded: string): number => {
  let hash = 0;
  for (let at = 0; at < folded.length; at += 1) hash = (Math.imul(hash, 31) + folded.charCodeAt(at)) | 0;
  return hash;
};

const tooMuch = (what: (JsonFault & { kind: "too-much" })["what"], max: number): JsonFault => ({
  kind: "too-much",
  what,
  max,
});

/** A scan of a JSON text, which builds no values and ends at the first fault. It may run in several steps. */
export class JsonScan {
  private readonly strings: Strings;
  private readonly names: OpenNames;
  private isNameNext = false;
  private values = 1;
  private containers = 0;
  private stringBytes = 0;
  private next = 0;
  /** Start of the content of an unfinished string. */
  private openString: number | undefined;
  private fault: JsonFault | undefined;

  /**
   * @param rules names that must have their exact spelling; without them names are only counted.
   * @param cuts receives brackets and commas, if the text is to be parsed in pieces.
   */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly bounds: JsonBounds = JSON_BOUNDS,
    rules?: NameRules,
    private readonly cuts?: JsonCuts,
  ) {
    this.strings = new Strings(bytes, bounds.maxEscapes);
    this.names = new OpenNames(bytes, rules, bounds.maxShapes);
  }

  get isDone(): boolean {
    return this.next >= this.bytes.length;
  }

  /**
   * @param count approximate number of bytes to scan; all by default. Must not be called again after the end or a
   * fault.
   * @returns the reason for not parsing the text; undefined when the scanned part is permitted, or is not JSON.
   */
  read(count = this.bytes.length): JsonFault | undefined {
    const to = Math.min(this.next + count, this.bytes.length);
    this.next = this.readTo(to);
    if (this.fault !== undefined || this.isDone) this.names.end();
    return this.fault;
  }

  private readTo(to: number): number {
    const { bytes, bounds, names } = this;
    const { maxLooseBytes } = bounds;
    let at = this.next;
    if (this.openString !== undefined) at = this.readString(this.openString, at, to);
    while (at < to && this.fault === undefined) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        at = this.readString(at + 1, at + 1, to);
        continue;
      }
      if (byte === COMMA) {
        this.values += 1;
        if (this.values > bounds.maxValues) this.fault = tooMuch("values", bounds.maxValues);
        else if (at - this.stringBytes > maxLooseBytes) this.fault = tooMuch("loose bytes", maxLooseBytes);
        this.isNameNext = names.isInObject;
        this.cuts?.onComma(at);
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        this.open(byte === OPEN_OBJECT);
        this.cuts?.onOpen(at);
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        names.close();
        this.cuts?.onClose(at);
        this.isNameNext = false;
      } else if (byte === SPACE || byte === LINE_FEED) {
        // Blanks come in runs; the longest of them must not be read to its end.
        if (at - this.stringBytes > maxLooseBytes) this.fault = tooMuch("loose bytes", maxLooseBytes);
      }
      at += 1;
    }
    return at;
  }

  private open(isObject: boolean): void {
    const { bounds, names } = this;
    if (names.depth === bounds.maxDepth) {
      this.fault = { kind: "too-deep", max: bounds.maxDepth };
      return;
    }
    this.values += 1;
    this.containers += 1;
    if (this.values > bounds.maxValues) this.fault = tooMuch("values", bounds.maxValues);
    else if (this.containers > bounds.maxContainers) this.fault = tooMuch("values", bounds.maxContainers);
    names.open(isObject);
    this.isNameNext = isObject;
  }

  /**
   * @param start of the string's content. @param from offset to continue at.
   * @returns the offset after it, or the offset to continue at.
   */
  private readString(start: number, from: number, to: number): number {
    const { bounds, strings, names } = this;
    const end = strings.endOf(from, to);
    this.openString = end === undefined ? start : undefined;
    if (end === undefined) return strings.next;
    if (strings.escapes > bounds.maxEscapes) this.fault = tooMuch("escapes", bounds.maxEscapes);
    else if (this.isNameNext && names.isInObject) {
      this.isNameNext = false;
      this.fault = names.read(start, end);
      if (names.cost > bounds.maxNames) this.fault ??= tooMuch("names", bounds.maxNames);
      if (names.shapeCount > bounds.maxShapes) this.fault ??= tooMuch("shapes", bounds.maxShapes);
    }
    this.stringBytes += end - start + 1;
    return end + 1;
  }
}

/**
 * Scans a JSON text in one step.
 * @see JsonScan
 */
export const scanJson = (bytes: Uint8Array, bounds?: JsonBounds, rules?: NameRules): JsonFault | undefined =>
  new JsonScan(bytes, bounds, rules).read();

/** Whether a text, if it is JSON, exceeds the maximum depth. */
export const isTooDeep = (text: string, maxDepth = MAX_JSON_DEPTH): boolean => {
  if (!hasMoreOpenings(text, maxDepth)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfText(text, at + 1);
        break;
      case OPEN_OBJECT:
      case OPEN_LIST:
        depth += 1;
        if (depth > maxDepth) return true;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        depth -= 1;
        break;
    }
  }
  return false;
};

/**
 * A fast path: most texts have fewer brackets altogether, including those in strings, than may be nested. The built-in
 * search finds that out in a fortieth of the time of a loop over the characters.
 */
const hasMoreOpenings = (text: string, most: number): boolean => {
  if (text.length <= most) return false;
  let left = most;
  for (const bracket of ["{", "["])
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (left === 0) return true;
      left -= 1;
    }
  return false;
};

const endOfText = (text: string, start: number): number => {
  let at = start;
  while (at < text.length) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) return at;
    at += character === BACKSLASH ? 2 : 1;
  }
  return at;
};
