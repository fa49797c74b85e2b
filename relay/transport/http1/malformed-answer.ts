/** Bytes of an upstream that are no HTTP/1.1 answer; the message says what is wrong with them, for the log. */
export class MalformedAnswer extends Error {
  override readonly name = "MalformedAnswer";
}
