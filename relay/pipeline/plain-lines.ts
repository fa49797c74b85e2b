const FEED = 10;
const RETURN = 13;
const MARK = Buffer.from("\uFEFF");
const EMPTY = Buffer.alloc(0);

/**
 * Normalizes a stream's bytes for the parser: removes a byte order mark, and turns a lone carriage return into a line
 * feed (https://html.spec.whatwg.org/multipage/server-sent-events.html). Lines that end in "\r\n" stay unchanged. Bytes
 * without a carriage return are returned unchanged.
 */
export class PlainLines {
  private hasBegun = false;
  /**
   * Bytes whose meaning depends on the next ones: part of the mark, or a carriage return that a line feed may follow.
   */
  private waiting: Buffer = EMPTY;
  /**
   * Lines end in carriage returns: one at the end of the bytes counts immediately, and a line feed after it belongs to
   * it.
   */
  private endsInReturns = false;
  private isAfterReturn = false;

  push(chunk: Buffer): Buffer {
    let bytes = this.waiting.length === 0 ? chunk : Buffer.concat([this.waiting, chunk]);
    this.waiting = EMPTY;
    if (!this.hasBegun) {
      const head = bytes.subarray(0, MARK.length);
      if (bytes.length < MARK.length && head.equals(MARK.subarray(0, head.length))) {
        this.waiting = bytes;
        return EMPTY;
      }
      this.hasBegun = true;
      if (head.equals(MARK)) bytes = bytes.subarray(MARK.length);
    }
    if (this.isAfterReturn && bytes.length > 0) {
      this.isAfterReturn = false;
      if (bytes[0] === FEED) bytes = bytes.subarray(1);
    }
    return bytes.includes(RETURN) ? this.withFeeds(bytes) : bytes;
  }

  private withFeeds(bytes: Buffer): Buffer {
    const last = bytes.length - 1;
    let out: Buffer | undefined;
    for (let at = bytes.indexOf(RETURN); at !== -1; at = bytes.indexOf(RETURN, at + 1)) {
      if (bytes[at + 1] === FEED) continue;
      if (at === last && !this.endsInReturns) {
        this.waiting = bytes.subarray(last);
        return (out ?? bytes).subarray(0, last);
      }
      this.endsInReturns = true;
      this.isAfterReturn = at === last;
      // The bytes belong to the caller.
      out ??= Buffer.from(bytes);
      out[at] = FEED;
    }
    return out ?? bytes;
  }
}
