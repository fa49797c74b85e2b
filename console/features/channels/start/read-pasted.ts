/** The parts found in a pasted text. */
export interface Pasted {
  /** One key, or several, one per line; "" for none. */
  key: string;
  /** The vendor's address; "" if not given. */
  address: string;
}

const ADDRESS = /https?:\/\/[^\s"'`,;]+/;

/** The end of an operation's path; the API's address precedes it. */
const OPERATION = /\/+(?:chat\/completions|completions|responses|messages|embeddings|models)?\/*$/;

/** Removes the name in `export NAME="key"`, `NAME=key`, `"name": "key",` and `Authorization: Bearer key`. */
const NAMED = /^(?:export\s+)?["']?[A-Za-z_][\w-]*["']?\s*[:=]\s*/;

const cleanLine = (line: string): string =>
  line
    .trim()
    .replace(NAMED, "")
    .replace(/^["'`]?(?:Bearer\s+)?/, "")
    .replace(/["'`,;]+$/, "");

/**
 * Finds the key and the address in a pasted text: one or several bare keys, or a line of a shell or settings file, with
 * the address on a separate line. A JSON document is a key by itself.
 */
export const readPasted = (text: string): Pasted => {
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) return { key: trimmed, address: "" };
  const lines = trimmed.split(/\r?\n/);
  const address = (lines.map((line) => ADDRESS.exec(line)?.[0]).find(Boolean) ?? "").replace(OPERATION, "");
  const keys = lines
    .filter((line) => !ADDRESS.test(line))
    .map(cleanLine)
    .filter((line) => line !== "");
  return { key: keys.join("\n"), address };
};
