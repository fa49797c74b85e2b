/** What was found in a pasted text. */
export interface Pasted {
  /** One key, or several with a line each; "" for none. */
  key: string;
  /** Where its vendor answers; "" where nothing said so. */
  address: string;
}

const ADDRESS = /https?:\/\/[^\s"'`,;]+/;

/** What a path of one operation ends with: the address of the API stands before it. */
const OPERATION = /\/+(?:chat\/completions|completions|responses|messages|embeddings|models)?\/*$/;

/** `export NAME="key"`, `NAME=key`, `"name": "key",` and `Authorization: Bearer key`: the name goes. */
const NAMED = /^(?:export\s+)?["']?[A-Za-z_][\w-]*["']?\s*[:=]\s*/;

const cleanLine = (line: string): string =>
  line
    .trim()
    .replace(NAMED, "")
    .replace(/^["'`]?(?:Bearer\s+)?/, "")
    .replace(/["'`,;]+$/, "");

/**
 * Finds the key and the address in what a person pasted: a bare key, several, a line of a shell or of a file of
 * settings, with the address on a line of its own. A JSON document is a key as it is.
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
