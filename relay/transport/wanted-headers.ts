/** The headers of an answer that are looked at, in lower case; the rest is not even decoded. */
export const WANTED_HEADERS: readonly string[] = [
  "content-type",
  "content-encoding",
  "retry-after",
  "retry-after-ms",
  "date",
  "x-amzn-errortype",
];
