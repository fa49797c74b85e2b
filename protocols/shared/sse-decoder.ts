/** One server-sent event. `event` is its name, or "" when it has none. */
export interface SseEvent {
  event: string;
  data: string;
}

/** Turns the bytes of an event stream into events. Holds all of its state, so bytes may be cut anywhere. */
export interface SseDecoder {
  /** @throws SseEventTooLarge */
  push(chunk: Uint8Array): SseEvent[];
  /** The connection was closed: a last event without its blank line still counts. */
  end(): SseEvent[];
}

/** An event that grew beyond the decoder's bound; its stream cannot be trusted any further. */
export class SseEventTooLarge extends Error {
  override readonly name = "SseEventTooLarge";
  constructor(readonly maxEventBytes: number) {
    super(`the upstream sent an event of more than ${maxEventBytes} bytes`);
  }
}

const DEFAULT_MAX_EVENT_BYTES = 8 * 1024 * 1024;

/**
 * Creates a decoder for one stream, after https://html.spec.whatwg.org/multipage/server-sent-events.html
 * with one difference: the standard drops an unfinished last event, while upstreams that forget the blank line mean it.
 * `id:` and `retry:` lines concern reconnecting clients and are ignored.
 * @param maxEventBytes bound on one event and on one unfinished line. Counted in UTF-16 units, of which a text never
 * has more than it has bytes.
 */
export const createSseDecoder = (maxEventBytes: number = DEFAULT_MAX_EVENT_BYTES): SseDecoder =>
  new Decoder(maxEventBytes);

class Decoder implements SseDecoder {
  private readonly utf8 = new TextDecoder();
  /** The unfinished last line, in the pieces in which it came: joining once keeps long lines linear. */
  private pieces: string[] = [];
  private pieceUnits = 0;
  /** The last text ended in "\r", so a "\n" at the start of the next one belongs to it. */
  private isAfterReturn = false;
  private name = "";
  private data: string | undefined;

  constructor(private readonly maxEventBytes: number) {}

  push(chunk: Uint8Array): SseEvent[] {
    return this.take(this.utf8.decode(chunk, { stream: true }));
  }

  end(): SseEvent[] {
    const events = this.take(this.utf8.decode());
    if (this.pieces.length > 0) this.takeLine(this.finishLine(""), events);
    this.dispatch(events);
    return events;
  }

  private take(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    let from = 0;
    if (this.isAfterReturn && text !== "") {
      if (text.startsWith("\n")) from = 1;
      this.isAfterReturn = false;
    }
    let feed = text.indexOf("\n", from);
    let carriage = text.indexOf("\r", from);
    while (feed !== -1 || carriage !== -1) {
      const isReturn = carriage !== -1 && (feed === -1 || carriage < feed);
      const end = isReturn ? carriage : feed;
      this.takeLine(this.finishLine(text.slice(from, end)), events);
      from = end + 1;
      if (isReturn) {
        if (feed === from) from += 1;
        else if (from === text.length) this.isAfterReturn = true;
        carriage = text.indexOf("\r", from);
      }
      if (feed !== -1 && feed < from) feed = text.indexOf("\n", from);
    }
    if (from < text.length) {
      this.pieces.push(text.slice(from));
      this.pieceUnits += text.length - from;
      this.checkSize(this.pieceUnits);
    }
    return events;
  }

  private finishLine(tail: string): string {
    if (this.pieces.length === 0) return tail;
    const line = this.pieces.join("") + tail;
    this.pieces = [];
    this.pieceUnits = 0;
    return line;
  }

  private takeLine(line: string, events: SseEvent[]): void {
    if (line === "") {
      this.dispatch(events);
      return;
    }
    const colon = line.indexOf(":");
    // A line that starts with a colon is a comment: upstreams send them to keep the connection alive.
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    if (field !== "data" && field !== "event") return;
    const valueAt = colon === -1 ? line.length : line[colon + 1] === " " ? colon + 2 : colon + 1;
    const value = line.slice(valueAt);
    if (field === "event") {
      this.name = value;
      return;
    }
    this.data = this.data === undefined ? value : `${this.data}\n${value}`;
    this.checkSize(this.data.length);
  }

  private dispatch(events: SseEvent[]): void {
    if (this.data !== undefined && this.data !== "") events.push({ event: this.name, data: this.data });
    this.name = "";
    this.data = undefined;
  }

  private checkSize(units: number): void {
    if (units > this.maxEventBytes) throw new SseEventTooLarge(this.maxEventBytes);
  }
}
