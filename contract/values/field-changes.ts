import { isObject } from "./is-object";

/*
 * What a translation made of a body, field by field. Pure: two parsed JSON values in, changes out. Bodies are hostile:
 * they may be deep, wide, or full of long texts.
 */

/** Names and positions from the top of a body. */
export type Path = readonly (string | number)[];

/** A value that has no fields: a text, a number, an empty list. */
interface Leaf {
  readonly path: Path;
  readonly value: unknown;
  /** The same for equal values. */
  readonly text: string;
}

/** A field of one body, or of both. */
export type FieldChange =
  | { readonly kind: "added"; readonly path: Path; readonly after: unknown }
  | { readonly kind: "removed"; readonly path: Path; readonly before: unknown }
  | { readonly kind: "changed"; readonly path: Path; readonly before: unknown; readonly after: unknown }
  /** The same value in another place. */
  | { readonly kind: "moved"; readonly path: Path; readonly from: Path; readonly after: unknown };

/** More fields are not compared: the table would not be read, and would take long. */
const MAX_FIELDS = 20_000;
/** Characters of all paths together: a long name counts for each field below it. */
const MAX_PATH_CHARACTERS = 2_000_000;
/** What lies deeper is one value. */
const MAX_DEPTH = 40;

const keyOf = (path: Path): string => JSON.stringify(path);

const partsOf = (value: unknown): (readonly [string | number, unknown])[] => {
  if (Array.isArray(value)) return value.map((each, index) => [index, each] as const);
  return isObject(value) ? Object.entries(value) : [];
};

/** The fields of a body by their paths, in its order; undefined for a body with too many. */
export const leavesOf = (body: unknown): Map<string, Leaf> | undefined => {
  const leaves = new Map<string, Leaf>();
  const waiting: { path: Path; characters: number; value: unknown }[] = [
    { path: [], characters: 0, value: body },
  ];
  let written = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, characters, value } = next;
    const parts = path.length < MAX_DEPTH ? partsOf(value) : [];
    if (parts.length + leaves.size + waiting.length > MAX_FIELDS) return undefined;
    if (parts.length === 0) written += characters;
    if (written > MAX_PATH_CHARACTERS) return undefined;
    if (parts.length === 0) leaves.set(keyOf(path), { path, value, text: JSON.stringify(value) ?? "" });
    // The first part is taken first.
    for (const [name, part] of parts.toReversed())
      waiting.push({ path: [...path, name], characters: characters + String(name).length, value: part });
  }
  return leaves;
};

/** Values that two fields may have by chance: they are the same field only under the same name. */
const isCommon = ({ value }: Leaf): boolean =>
  typeof value !== "string" || value.length < 4 || value === "user" || value === "text" || value === "system";

const nameOf = ({ path }: Leaf): string => String(path.findLast((part) => typeof part === "string"));

/** Takes each gone field's like out of the new ones: by value and name, else by value. */
const pairMoved = (gone: readonly Leaf[], come: readonly Leaf[]): Map<Leaf, Leaf> => {
  const pairs = new Map<Leaf, Leaf>();
  const pairBy = (keyOfLeaf: (leaf: Leaf) => string | undefined): void => {
    const taken = new Set(pairs.values());
    const open = new Map<string, Leaf[]>();
    for (const leaf of come.toReversed()) {
      const key = taken.has(leaf) ? undefined : keyOfLeaf(leaf);
      if (key === undefined) continue;
      const known = open.get(key);
      if (known) known.push(leaf);
      else open.set(key, [leaf]);
    }
    for (const leaf of gone) {
      const key = pairs.has(leaf) ? undefined : keyOfLeaf(leaf);
      const like = key === undefined ? undefined : open.get(key)?.pop();
      if (like) pairs.set(leaf, like);
    }
  };
  pairBy((leaf) => `${nameOf(leaf)} ${leaf.text}`);
  pairBy((leaf) => (isCommon(leaf) ? undefined : leaf.text));
  return pairs;
};

/**
 * The fields that differ between two bodies, in the order of the first and then of the second.
 * @returns undefined when one of them has too many fields.
 */
export const findChanges = (before: unknown, after: unknown): FieldChange[] | undefined => {
  const old = leavesOf(before);
  const young = leavesOf(after);
  if (!old || !young) return undefined;
  const gone = [...old].filter(([key, { text }]) => young.get(key)?.text !== text).map(([, leaf]) => leaf);
  const come = [...young].filter(([key, { text }]) => old.get(key)?.text !== text).map(([, leaf]) => leaf);
  const moved = pairMoved(gone, come);
  const arrived = new Set(moved.values());
  const rest = new Map(come.filter((leaf) => !arrived.has(leaf)).map((leaf) => [keyOf(leaf.path), leaf]));
  const changes = gone.map((leaf): FieldChange => {
    const like = moved.get(leaf);
    if (like) return { kind: "moved", path: like.path, from: leaf.path, after: like.value };
    const key = keyOf(leaf.path);
    const same = rest.get(key);
    if (!same) return { kind: "removed", path: leaf.path, before: leaf.value };
    rest.delete(key);
    return { kind: "changed", path: leaf.path, before: leaf.value, after: same.value };
  });
  for (const { path, value } of rest.values()) changes.push({ kind: "added", path, after: value });
  return changes;
};

/** The most characters of a value or of a path. */
export const MAX_TEXT = 200;
/** So much of a long text is shown. */
const SHOWN = 140;
const PLAIN_NAME = /^[A-Za-z_$][\w$-]{0,60}$/;
const DATA_URL = /^data:([\w.+-]{1,40}\/[\w.+-]{1,60})[;,]/;
/** Text of pictures, sound and seals, which is not for reading. */
const ENCODED = /^[A-Za-z0-9+/_-]{100}/;

const cut = (text: string, most = MAX_TEXT): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;

/** A path as people write it: `messages[0].content`. At most MAX_TEXT characters. */
export const writePath = (path: Path): string =>
  cut(
    path
      .map((part, index) => {
        if (typeof part === "number") return `[${part}]`;
        const name = PLAIN_NAME.test(part) ? part : JSON.stringify(cut(part, 60));
        return index === 0 || name !== part ? (name === part ? name : `[${name}]`) : `.${name}`;
      })
      .join(""),
  );

/** The same path for the places of a list, so that a hundred messages are one line. */
export const patternOf = (path: Path): string =>
  keyOf(path.map((part) => (typeof part === "number" ? 0 : part)));

/** A value for reading, at most MAX_TEXT characters: no pictures, only the beginning of long texts. */
export const writeValue = (value: unknown): string => {
  if (typeof value !== "string") return cut(JSON.stringify(value) ?? "");
  const [, mediaType] = DATA_URL.exec(value) ?? [];
  if (mediaType !== undefined) return `data:${mediaType},… (${value.length})`;
  if (ENCODED.test(value)) return `${value.slice(0, 16)}… (${value.length})`;
  const quoted = JSON.stringify(value);
  return quoted.length <= SHOWN ? quoted : `${cut(quoted, SHOWN)}" (${value.length})`;
};
