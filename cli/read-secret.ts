/** More than a secret has: a thousand keys, one to a line. */
const MAX_BYTES = 4_000_000;

/**
 * Reads a secret from standard input: on a command line others would see it.
 * @param prompt called where a person has to type it.
 * @returns without the line feed at its end.
 * @throws Error where nothing comes.
 */
export const readSecret = async (
  input: AsyncIterable<Buffer | string> & { isTTY?: boolean },
  prompt: (line: string) => void,
): Promise<string> => {
  if (input.isTTY === true) prompt("Type it, then Enter and Ctrl-D:");
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw new Error("Standard input has more than a secret can have.");
    chunks.push(piece);
  }
  const text = Buffer.concat(chunks)
    .toString("utf8")
    .replace(/\r?\n$/, "");
  if (text === "") throw new Error("Standard input is empty: pipe the secret into the command.");
  return text;
};
