import type { StreamDecoder, StreamEvent } from "@tollgate/contract/relay/protocol";
import { AnswerUnreadable } from "@tollgate/contract/relay/upstream-fault";

const DEFAULT_MAX_EVENT_BYTES = 8 * 1024 * 1024;
/** So many pieces of an unfinished line are joined: a stream may come letter by letter. */
const MAX_FEW_PIECES = 256;
/** Maximum lines in one event's data: far above any upstream's, and joined in some milliseconds. */
export const MAX_DATA_LINES = 100_000;

/**
 * Creates a decoder for one stream, after https://html.spec.whatwg.org/multipage/server-sent-events.html with one
 * difference: the standard drops an unfinished last event, but upstreams that forget the blank line expect it to be
 * read. `id:` and `retry:` lines concern reconnecting clients and are ignored.
 * @throws AnswerUnreadable from the decoder's `push`, for an event that grows beyond the bound, or beyond
 * MAX_DATA_LINES.
 * @param maxEventBytes limit of one event and of one unfinished line, in UTF-16 units, of which a text never has more
 * than bytes.
 */
export const createSseDecoder = (
  maxEventBytes: number = DEFAULT_MAX_EVENT_BYTES,
  dialect: SseDialect = STANDARD,
): StreamDecoder => new Decoder(maxEventBytes, dialect);

/** A vendor's deviations from the standard. */
export interface SseDialect {
  /** Fields whose lines belong to the data, in their order. */
  dataFields: readonly string[];
  /** Data starts directly after the colon: a blank there is part of it. */
  keepsBlanks: boolean;
}

const STANDARD: SseDialect = { dataFields: ["data"], keepsBlanks: false };

class Decoder implements StreamDecoder {
  private readonly utf8 = new TextDecoder();
  /** The unfinished last line, in its original pieces: joining once keeps long lines linear. */
  private pieces: string[] = [];
  /** Pieces that are not joined yet. */
  private fewPieces = 0;
  private pieceUnits = 0;
  /** The last text ended in "\r", so a "\n" at the start of the next one belongs to it. */
  private isAfterReturn = false;
  private name = "";
  private data: string | undefined;
  /** The lines of data behind the first: joined once, when the event ends. */
  private moreData: string[] = [];
  /** Length of the event's data, with a line feed between its lines. */
  private dataUnits = 0;

  constructor(
    private readonly maxEventBytes: number,
    private readonly dialect: SseDialect,
  ) {}

  push(chunk: Uint8Array): StreamEvent[] {
    return this.take(this.utf8.decode(chunk, { stream: true }));
  }

  end(): StreamEvent[] {
    const events = this.take(this.utf8.decode());
    if (this.pieces.length > 0) this.takeLine(this.finishLine(""), events);
    this.dispatch(events);
    return events;
  }

  private take(text: string): StreamEvent[] {
    const events: StreamEvent[] = [];
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
      this.keepPiece(text.slice(from));
      this.pieceUnits += text.length - from;
      this.checkSize(this.pieceUnits);
    }
    return events;
  }

  private finishLine(tail: string): string {
    if (this.pieces.length === 0) return tail;
    this.pieces.push(tail);
    // Joined once: appending to a long text copies it.
    const line = this.pieces.join("");
    this.pieces = [];
    this.fewPieces = 0;
    this.pieceUnits = 0;
    return line;
  }

  private keepPiece(piece: string): void {
    this.pieces.push(piece);
    this.fewPieces += 1;
    if (this.fewPieces < MAX_FEW_PIECES) return;
    this.pieces.push(this.pieces.splice(-MAX_FEW_PIECES).join(""));
    this.fewPieces = 0;
  }

  private takeLine(line: string, events: StreamEvent[]): void {
    if (line === "") {
      this.dispatch(events);
      return;
    }
    const colon = line.indexOf(":");
    // A line that starts with a colon is a comment: upstreams send them to keep the connection alive.
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const isName = field === "event";
    if (!isName && !this.dialect.dataFields.includes(field)) return;
    const skipsBlank = line[colon + 1] === " " && (isName || !this.dialect.keepsBlanks);
    const value = line.slice(colon === -1 ? line.length : skipsBlank ? colon + 2 : colon + 1);
    if (isName) {
      this.name = value;
      return;
    }
    if (this.data === undefined) this.data = value;
    else if (this.moreData.push(value) === MAX_DATA_LINES)
      throw new AnswerUnreadable({ code: "event-unreadable" });
    this.dataUnits += value.length + 1;
    this.checkSize(this.dataUnits - 1);
  }

  private dispatch(events: StreamEvent[]): void {
    const data = this.moreData.length === 0 ? this.data : [this.data, ...this.moreData].join("\n");
    if (data !== undefined && data !== "") events.push({ event: this.name, data });
    this.name = "";
    this.data = undefined;
    this.dataUnits = 0;
    if (this.moreData.length > 0) this.moreData = [];
  }

  private checkSize(units: number): void {
    if (units > this.maxEventBytes)
      throw new AnswerUnreadable({ code: "event-too-large", maxBytes: this.maxEventBytes });
  }
}
