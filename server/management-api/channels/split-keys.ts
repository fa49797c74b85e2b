/** A key as it was pasted, and the line on which it begins, counted from 1. */
export interface PastedKey {
  key: string;
  line: number;
}

/** No key file is longer. */
const MAX_DOCUMENT_LINES = 100;

/** The keys of a text, one on each line. */
export const splitLines = (text: string): PastedKey[] =>
  text
    .split("\n")
    .map((line, index) => ({ key: line.trim(), line: index + 1 }))
    .filter(({ key }) => key !== "");

/**
 * The keys of a text where a key may be a JSON document: one that spans several lines becomes one line, as keys are
 * stored. Text that begins like a document but is invalid keeps its lines.
 */
export const splitDocuments = (text: string): PastedKey[] => {
  const keys: PastedKey[] = [];
  let rest = splitLines(text);
  for (let [first] = rest; first; [first] = rest) {
    const found = findDocument(rest);
    keys.push(found ? { ...first, key: found.document } : first);
    rest = rest.slice(found?.lineCount ?? 1);
  }
  return keys;
};

/** The document that the lines begin with, on one line. */
const findDocument = (lines: readonly PastedKey[]): { document: string; lineCount: number } | undefined => {
  if (!lines[0]?.key.startsWith("{")) return undefined;
  let text = "";
  for (const [index, { key }] of lines.slice(0, MAX_DOCUMENT_LINES).entries()) {
    text += `${key}\n`;
    const document = key.endsWith("}") ? compact(text) : undefined;
    if (document !== undefined) return { document, lineCount: index + 1 };
  }
  return undefined;
};

/** A JSON text without whitespace; undefined for invalid JSON. */
const compact = (text: string): string | undefined => {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
};
