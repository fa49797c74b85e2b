/** A longer argument is refused by shells; the body then comes from a file. */
const MAX_ARGUMENT = 100_000;

/** Characters that a terminal may obey. JSON writes them as escapes. */
const CONTROL = /[^\P{Cc}\n\t]/u;

/** Text that a shell takes as it is. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** How the clients of each API send their key, which the reader puts into a variable. */
const authOf = (path: string): readonly string[] => {
  if (path.startsWith("/v1beta/")) return ['-H "x-goog-api-key: $API_KEY"'];
  if (path.startsWith("/v1/messages"))
    return ['-H "x-api-key: $API_KEY"', "-H 'anthropic-version: 2023-06-01'"];
  return ['-H "Authorization: Bearer $API_KEY"'];
};

/**
 * A stored request as a command, with a variable in place of the key.
 * @param address the gateway's, without a slash at its end.
 * @returns undefined for text that must not get into a terminal.
 */
export const curlCommand = (address: string, path: string, text: string): string | undefined => {
  if (CONTROL.test(text) || CONTROL.test(path)) return undefined;
  const body = text.length > MAX_ARGUMENT ? "--data-binary @request.json" : `--data-raw ${quote(text)}`;
  const parts = [
    // Names of models are part of some addresses: braces and brackets in them must not become many requests.
    `curl --globoff ${quote(address + path)}`,
    ...authOf(path),
    "-H 'Content-Type: application/json'",
    body,
  ];
  return parts.join(" \\\n  ");
};
