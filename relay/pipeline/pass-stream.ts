import type { DeliveredContent } from "@tollgate/contract/relay/content";
import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { EventInspection } from "@tollgate/contract/relay/protocol";
import { addPart, isComplete, mergeUsage, NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { readServedModel } from "@tollgate/protocols/shared/answer/served-model";
import { UNREADABLE } from "@tollgate/protocols/shared/errors/nothing-found";
import { BytePieces } from "@tollgate/protocols/shared/json/byte-pieces";
import { type AnswerStream, givenUp, MAX_EVENT_BYTES, MAX_STREAM_BYTES } from "./answer-stream";
import { BufferParts, joinAll, joinTwo } from "./buffer-parts";
import { DeliveredTally } from "./delivered-tally";
import { endEvent, plainEvents, unfinishedFrom } from "./joined-data";
import { dataOf, type EventView, hasContent, hasNews, markerPattern } from "./landmark-lines";
import { LargeLine } from "./large-line";
import { PlainLines } from "./plain-lines";

const NEWLINE = 10;
const RETURN = 13;
/** The first byte of a mark of the byte order. */
const MARK = 0xef;
const COLON = 58;
const EMPTY = Buffer.alloc(0);
const BLANK_LINE = Buffer.from("\n");

/** From this size on, an unfinished line is inspected as it arrives, and passed on before its end. */
const LARGE_LINE_BYTES = 1024 * 1024;

/** Delivered bytes are kept for counting; from this size on, or so many pieces, only their text is. */
const COMPACT_BYTES = 64 * 1024;
const COMPACT_PIECES = 256;

/** The most lines of data that are no JSON: some vendors write a few words there, but not by the thousand. */
const MAX_UNREADABLE = 1000;

/** From this size on, a read without a line end is part of something large, not just keep-alive data. */
const PART_BYTES = 1024;

/**
 * A stream in the client's own protocol: its bytes pass unchanged, and only lines that matter for metering are parsed.
 * Whole lines are passed on; the unfinished rest of a read waits for its end.
 */
export class PassStream implements AnswerStream {
  hasDelivered = false;
  isEnded = false;
  isQuiet = false;
  isSearched = false;
  readonly endsWithMark = true;
  error: UpstreamError | undefined;
  usage: Usage = NO_USAGE;

  isGivenUp = false;
  readonly work = undefined;

  private hasFinished = false;
  private received = 0;
  /** Reads a stream that starts with a byte order mark, or whose lines end in carriage returns. */
  private plain: PlainLines | undefined;
  /** Bytes after the last line break, as they came. */
  private readonly rest = new BytePieces();
  /** The rest starts with data lines that wait for the end of their event. */
  private hasOpenData = false;
  /** The unfinished line, when it is large. */
  private large: LargeLine | undefined;
  /** Whole lines from before the first delivery, without those the client will not receive. */
  private readonly held = new BytePieces();
  /** No line of the current event was held: its blank line would end nothing. */
  private isEventEmpty = true;
  /** The lines that end the answer. */
  private last: Buffer[] = [];
  /** The blank line after an event that was left out must be left out too. */
  private isSkippingBlank = false;
  private kept: Buffer[] = [];
  private keptBytes = 0;
  /** Number of data lines that were not JSON. */
  private unreadable = 0;
  private readonly tally = new DeliveredTally();
  private readonly marker: RegExp;

  constructor(
    private readonly protocol: EventView,
    /** Whether the client requested the event that only reports usage. */
    private readonly wantsUsage: boolean,
    /** The event with the stop reason is the last one: it is held back like an end mark. */
    private readonly endsAtFinish = false,
  ) {
    this.marker = markerPattern(protocol);
  }

  push(chunk: Buffer): Buffer | undefined {
    if (this.error) return undefined;
    this.isQuiet = chunk.length < PART_BYTES || chunk.includes(NEWLINE);
    if (this.received === 0 && chunk[0] === MARK) this.plain = new PlainLines();
    this.received += chunk.length;
    if (this.received > (this.hasDelivered ? MAX_STREAM_BYTES : MAX_EVENT_BYTES))
      return this.giveUp("answer-too-large");
    return this.pushPlain(this.plain ? this.plain.push(chunk) : chunk);
  }

  private pushPlain(chunk: Buffer): Buffer | undefined {
    if (this.large) return this.pushLarge(this.large, chunk);
    if (this.hasOpenData) {
      if (!endEvent(chunk, this.rest.lastByte)) return this.addRest(chunk);
      this.hasOpenData = false;
    }
    const cut = chunk.lastIndexOf(NEWLINE) + 1;
    if (cut === 0) return this.pushPiece(chunk);
    const whole = cut === chunk.length ? chunk : chunk.subarray(0, cut);
    const lines = this.rest.length === 0 ? whole : this.takeRest(whole);
    const open = this.isEnded ? lines.length : unfinishedFrom(lines);
    const out = this.takeLines(open === lines.length ? lines : lines.subarray(0, open));
    if (this.error) return out;
    if (open < lines.length) {
      this.hasOpenData = true;
      this.addRest(lines.subarray(open));
    }
    return cut === chunk.length ? out : joinTwo(out, this.addRest(chunk.subarray(cut)));
  }

  end(): Buffer | undefined {
    if (this.error) return undefined;
    this.dropTorn();
    // A last line without its line break is still a line.
    const rest = this.rest.length === 0 && !this.large ? undefined : this.push(Buffer.from("\n\n"));
    if (!this.isEnded && this.hasDelivered) {
      this.compact();
      if (!this.hasFinished) this.error ??= { kind: "network", status: 200, message: "", code: "" };
    }
    return rest;
  }

  get isWhole(): boolean {
    if (!this.hasDelivered || this.error || this.large || !isComplete(this.usage)) return false;
    this.compact();
    return this.hasFinished;
  }

  get heldBytes(): number {
    return this.tally.length + this.keptBytes + this.held.length + this.rest.length;
  }

  shed(): void {
    this.compact();
    this.tally.shorten();
  }

  release(): Buffer | undefined {
    this.hasDelivered = true;
    return this.deliver([]);
  }

  tail(): Buffer {
    const tail = joinAll(this.last) ?? EMPTY;
    // The end mark may have come without its blank line, which the client needs to see the event.
    return tail.length === 0 || tail.toString("latin1").replaceAll("\r", "").endsWith("\n\n")
      ? tail
      : Buffer.concat([tail, BLANK_LINE]);
  }

  delivered(): DeliveredContent {
    this.compact();
    return this.tally.content();
  }

  private giveUp(code: "answer-too-large" | "event-unreadable"): undefined {
    this.error = givenUp({ code });
    this.isGivenUp = true;
  }

  /** Behind the finish reason the answer is whole: half a last event does not spoil it. */
  private dropTorn(): void {
    if (this.rest.length === 0 || !this.hasDelivered) return;
    this.compact();
    if (!this.hasFinished) return;
    const lines = this.takeRest(BLANK_LINE);
    const torn = unfinishedFrom(lines);
    if (torn > 0) this.rest.push(lines.subarray(0, Math.min(torn, lines.length - 1)));
  }

  /** Takes a piece without a line feed. */
  private pushPiece(piece: Buffer): Buffer | undefined {
    if (this.plain || !piece.includes(RETURN)) return this.addRest(piece);
    this.plain = new PlainLines();
    return this.pushPlain(this.plain.push(this.takeRest(piece)));
  }

  /** The rest joined with the next read. */
  private takeRest(next: Buffer): Buffer {
    return Buffer.concat([...this.rest.takePieces(), next]);
  }

  private addRest(bytes: Buffer): Buffer | undefined {
    this.rest.push(bytes);
    if (this.rest.length <= LARGE_LINE_BYTES || this.isEnded) return undefined;
    if (this.hasOpenData) return this.giveUp("event-unreadable");
    const large = new LargeLine();
    for (const piece of this.rest.takePieces()) large.push(piece);
    this.large = large;
    return this.passLarge(large);
  }

  private takeLines(lines: Buffer): Buffer | undefined {
    if (!this.isEnded) return this.pushLines(lines);
    this.last.push(lines);
    return undefined;
  }

  private pushLarge(large: LargeLine, chunk: Buffer): Buffer | undefined {
    this.isQuiet = false;
    const end = chunk.indexOf(NEWLINE) + 1;
    large.push(end === 0 ? chunk : chunk.subarray(0, end));
    if (end === 0) return this.passLarge(large);
    this.large = undefined;
    const out = this.endLarge(large);
    return end === chunk.length || this.error ? out : joinTwo(out, this.pushPlain(chunk.subarray(end)));
  }

  /** Passes the pieces of a large line on. They are counted when it ends, so they are not kept. */
  private passLarge(large: LargeLine): Buffer | undefined {
    return this.hasDelivered ? joinAll(large.takePassable()) : undefined;
  }

  private endLarge(large: LargeLine): Buffer | undefined {
    if (!large.isData) return this.hasDelivered ? joinAll(large.takeRest()) : undefined;
    const data = large.data();
    if (data === undefined) return this.giveUp("event-unreadable");
    const observation = this.take(data);
    // An unreadable event would not be counted.
    if (observation === UNREADABLE) return this.giveUp("event-unreadable");
    if (this.error || this.isEnded) return undefined;
    this.tally.add(observation.text, observation.media);
    if (this.isEnd(observation)) {
      this.isEnded = true;
      this.last.push(...large.takeRest());
      return undefined;
    }
    if (this.hasDelivered) return joinAll([...this.takeHeld(), ...large.takeRest()]);
    for (const piece of large.takeRest()) this.held.push(piece);
    this.isEventEmpty = false;
    return undefined;
  }

  /** Returns the held lines, to be passed on now. */
  private takeHeld(): Buffer[] {
    const held = this.held.takePieces();
    for (const bytes of held) this.keep(bytes);
    return held;
  }

  private take(data: string): EventInspection {
    const observation = this.protocol.inspectEvent(data);
    if (observation === UNREADABLE) this.countUnreadable();
    if (observation.usage) {
      const merge = observation.isOfPart ? addPart : mergeUsage;
      this.usage = merge(this.usage, observation.usage);
    }
    if (this.usage.servedModel === undefined && observation.servedModel !== undefined) {
      const servedModel = readServedModel(observation.servedModel);
      if (servedModel !== undefined) this.usage = { ...this.usage, servedModel };
    }
    if (observation.error) {
      // After a complete answer with its usage, an error has no effect: it is not sent to the client.
      this.isEnded = this.isWhole;
      if (!this.isEnded) this.error = observation.error;
      return observation;
    }
    if (observation.isDelivery) this.hasDelivered = true;
    if (observation.isFinish) this.hasFinished = true;
    return observation;
  }

  /** An exception of the parser takes as long as some hundred small events. */
  private countUnreadable(): void {
    this.unreadable += 1;
    if (this.unreadable > MAX_UNREADABLE) this.giveUp("answer-too-large");
  }

  private isEnd({ isEnd, isFinish }: EventInspection): boolean {
    return isEnd || (this.endsAtFinish && isFinish);
  }

  /** Inspects every line until something is delivered, then only those with a marker. */
  private pushLines(read: Buffer): Buffer | undefined {
    const out = new BufferParts();
    const given = read.toString("latin1");
    const text = plainEvents(given);
    if (text === undefined) return this.giveUp("event-unreadable");
    const lines = text === given ? read : Buffer.from(text, "latin1");
    let from = 0;
    while (from < lines.length) {
      if (this.hasDelivered && !this.isSkippingBlank) {
        const next = this.findLandmarkLine(text, from);
        out.add(from, next);
        if (next === lines.length) break;
        from = next;
      }
      const next = text.indexOf("\n", from) + 1;
      if (!this.pushLine(lines, text, from, next, out)) break;
      from = next;
    }
    if (this.hasDelivered && hasNews(text) && !(this.isSearched && !hasContent(this.protocol, lines)))
      this.isQuiet = false;
    return this.deliver(out.of(lines));
  }

  /** The offset of the next line with a marker; the end of the lines without one. */
  private findLandmarkLine(text: string, from: number): number {
    this.marker.lastIndex = from;
    const found = this.marker.exec(text);
    return found ? text.lastIndexOf("\n", found.index) + 1 : text.length;
  }

  /** @returns false when nothing after this line must be inspected. */
  private pushLine(lines: Buffer, text: string, from: number, next: number, out: BufferParts): boolean {
    const isBlank = next - from === 1 || (next - from === 2 && text[from] === "\r");
    if (isBlank && this.isSkippingBlank) {
      this.isSkippingBlank = false;
      return true;
    }
    const data = isBlank ? undefined : dataOf(lines, from, next);
    if (data === undefined) {
      if (this.hasDelivered || this.isToHold(lines, from, isBlank)) out.add(from, next);
      return true;
    }
    const observation = this.take(data);
    if (this.error) return false;
    if (this.isEnded) {
      this.takeBackName(text, from, out);
      return false;
    }
    if (this.isEnd(observation)) {
      this.isEnded = true;
      this.last.push(lines.subarray(this.takeBackName(text, from, out)));
      return false;
    }
    if (observation.isUsageOnly && !this.wantsUsage) this.isSkippingBlank = true;
    else {
      out.add(from, next);
      this.isEventEmpty = false;
    }
    return true;
  }

  /**
   * Whether a line without data is held until something is delivered. Comments, which only keep a connection alive, are
   * of no use by then; a blank line with nothing before it ends nothing.
   */
  private isToHold(lines: Buffer, from: number, isBlank: boolean): boolean {
    if (!isBlank && lines[from] === COLON) return false;
    const isHeld = !(isBlank && this.isEventEmpty);
    this.isEventEmpty = isBlank;
    return isHeld;
  }

  /**
   * Holds back the end event's name as well, which is on the line before its data.
   * @returns the start of the event.
   */
  private takeBackName(text: string, from: number, out: BufferParts): number {
    const start = from < 2 ? 0 : text.lastIndexOf("\n", from - 2) + 1;
    if (!out.endsAt(from) || !text.startsWith("event:", start)) return from;
    out.cut(start);
    return start;
  }

  private deliver(out: Buffer[]): Buffer | undefined {
    if (!this.hasDelivered) {
      for (const bytes of out) this.held.push(bytes);
      return undefined;
    }
    const bytes = joinAll(this.held.length === 0 ? out : [...this.held.takePieces(), ...out]);
    if (bytes) this.keep(bytes);
    return bytes;
  }

  private keep(bytes: Buffer): void {
    this.kept.push(bytes);
    this.keptBytes += bytes.length;
    if (this.keptBytes > COMPACT_BYTES || this.kept.length > COMPACT_PIECES) this.compact();
  }

  /** Replaces kept bytes by the text in them. Kept bytes are whole lines, so each can be read by itself. */
  private compact(): void {
    for (const bytes of this.kept) {
      let from = 0;
      while (from < bytes.length) {
        const next = bytes.indexOf(NEWLINE, from) + 1 || bytes.length;
        const data = dataOf(bytes, from, next);
        if (data !== undefined) {
          const observation = this.protocol.inspectEvent(data);
          this.tally.add(observation.text, observation.media);
          if (observation.isFinish) this.hasFinished = true;
          if (observation === UNREADABLE) this.countUnreadable();
          if (this.isGivenUp) break;
        }
        from = next;
      }
    }
    this.kept = [];
    this.keptBytes = 0;
  }
}
