import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { PassThrough } from "@tollgate/contract/relay/protocol";
import { mergeUsage, NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { type AnswerStream, MAX_EVENT_BYTES } from "./answer-stream";

const NEWLINE = 10;
const EMPTY = Buffer.alloc(0);
const BLANK_LINE = Buffer.from("\n");

/** Delivered bytes are kept for counting; from this size on only their text is. */
const COMPACT_BYTES = 64 * 1024;

const unexpectedEvent = (status: number): UpstreamError => ({
  kind: "unknown",
  status,
  message: "the upstream sent an event that is too large",
  code: "",
});

/** How a stream's events are looked at. */
type EventView = Pick<PassThrough, "observe" | "landmarks">;

const patterns = new Map<EventView, RegExp>();

/** One pattern for all landmarks of a protocol: a line is looked at when it matches. */
const landmarkPattern = (protocol: EventView): RegExp => {
  let pattern = patterns.get(protocol);
  if (!pattern) {
    const escaped = protocol.landmarks.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    pattern = new RegExp(escaped.join("|"), "g");
    patterns.set(protocol, pattern);
  }
  return pattern;
};

/** Parts of a buffer, in order. Those that touch each other are one, so that what passes whole is not copied. */
class Parts {
  private readonly bounds: number[] = [];

  add(from: number, to: number): void {
    const { bounds } = this;
    if (bounds.at(-1) === from) bounds[bounds.length - 1] = to;
    else if (to > from) bounds.push(from, to);
  }

  /** Cuts off what lies behind this place. */
  cut(at: number): void {
    const { bounds } = this;
    while ((bounds.at(-2) ?? -1) >= at) bounds.length -= 2;
    if ((bounds.at(-1) ?? -1) > at) bounds[bounds.length - 1] = at;
  }

  /** Whether the part before this place is there. */
  endsAt(at: number): boolean {
    return this.bounds.at(-1) === at;
  }

  of(bytes: Buffer): Buffer[] {
    const parts: Buffer[] = [];
    for (let i = 0; i + 1 < this.bounds.length; i += 2)
      parts.push(bytes.subarray(this.bounds[i], this.bounds[i + 1]));
    return parts;
  }
}

/** Joins without copying when there is only one piece. */
const join = (pieces: Buffer[]): Buffer | undefined =>
  pieces.length <= 1 ? pieces[0] : Buffer.concat(pieces);

/**
 * A stream whose upstream speaks the client's own protocol: its bytes pass unchanged, and only lines that matter for
 * metering are parsed. Whole lines are passed on; the unfinished rest of a read waits for its end.
 */
export class PassStream implements AnswerStream {
  hasDelivered = false;
  isEnded = false;
  error: UpstreamError | undefined;
  usage: Usage = NO_USAGE;

  private hasFinished = false;
  /** Bytes after the last line break. */
  private rest: Buffer = EMPTY;
  /** Whole lines that came before anything was delivered. */
  private held: Buffer[] = [];
  /** The lines that end the answer. */
  private last: Buffer[] = [];
  /** The blank line after an event that was left out must be left out too. */
  private isSkippingBlank = false;
  private kept: Buffer[] = [];
  private keptBytes = 0;
  private text = "";
  private readonly landmark: RegExp;

  constructor(
    private readonly protocol: EventView,
    /** Whether the client asked for the event that only reports usage. */
    private readonly wantsUsage: boolean,
    /** Nothing follows the event that says why it stopped: it is kept back like an end mark. */
    private readonly endsAtFinish = false,
  ) {
    this.landmark = landmarkPattern(protocol);
  }

  push(chunk: Buffer): Buffer | undefined {
    if (this.error) return undefined;
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const cut = bytes.lastIndexOf(NEWLINE) + 1;
    this.rest = cut === bytes.length ? EMPTY : bytes.subarray(cut);
    if (this.rest.length > MAX_EVENT_BYTES) {
      this.error = unexpectedEvent(200);
      return undefined;
    }
    if (cut === 0) return undefined;
    const lines = cut === bytes.length ? bytes : bytes.subarray(0, cut);
    if (this.isEnded) {
      this.last.push(lines);
      return undefined;
    }
    return this.pushLines(lines);
  }

  end(): Buffer | undefined {
    if (this.error) return undefined;
    // A last line without its line break is still a line.
    const rest = this.rest.length === 0 ? undefined : this.push(Buffer.from("\n\n"));
    if (!this.isEnded && this.hasDelivered) {
      this.compact();
      if (!this.hasFinished) this.error ??= { kind: "network", status: 200, message: "", code: "" };
    }
    return rest;
  }

  release(): Buffer | undefined {
    this.hasDelivered = true;
    return this.deliver([]);
  }

  tail(): Buffer {
    const tail = join(this.last) ?? EMPTY;
    // The end mark may have come without its blank line, which the client needs to see the event.
    return tail.length === 0 || tail.toString("latin1").replaceAll("\r", "").endsWith("\n\n")
      ? tail
      : Buffer.concat([tail, BLANK_LINE]);
  }

  deliveredText(): string {
    this.compact();
    return this.text;
  }

  /** Looks at every line until something is delivered, then only at those with a landmark. */
  private pushLines(lines: Buffer): Buffer | undefined {
    const out = new Parts();
    const text = lines.toString("latin1");
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
    return this.deliver(out.of(lines));
  }

  /** Where the next line with a landmark begins; the end of the lines when there is none. */
  private findLandmarkLine(text: string, from: number): number {
    this.landmark.lastIndex = from;
    const found = this.landmark.exec(text);
    return found ? text.lastIndexOf("\n", found.index) + 1 : text.length;
  }

  /** @returns false when nothing after this line is to be looked at. */
  private pushLine(lines: Buffer, text: string, from: number, next: number, out: Parts): boolean {
    const isBlank = next - from === 1 || (next - from === 2 && text[from] === "\r");
    if (isBlank && this.isSkippingBlank) {
      this.isSkippingBlank = false;
      return true;
    }
    const data = isBlank ? undefined : this.dataOf(lines, from, next);
    if (data === undefined) {
      out.add(from, next);
      return true;
    }
    const observation = this.protocol.observe(data);
    if (observation.usage) this.usage = mergeUsage(this.usage, observation.usage);
    if (observation.error) {
      this.error = observation.error;
      return false;
    }
    if (observation.isDelivery) this.hasDelivered = true;
    if (observation.isFinish) this.hasFinished = true;
    if (observation.isEnd || (this.endsAtFinish && observation.isFinish)) {
      this.isEnded = true;
      this.last.push(lines.subarray(this.takeBackName(text, from, out)));
      return false;
    }
    if (observation.isUsageOnly && !this.wantsUsage) this.isSkippingBlank = true;
    else out.add(from, next);
    return true;
  }

  /**
   * The end event's name stands on the line before its data: both are kept back.
   * @returns where the event begins.
   */
  private takeBackName(text: string, from: number, out: Parts): number {
    const start = from < 2 ? 0 : text.lastIndexOf("\n", from - 2) + 1;
    if (!out.endsAt(from) || !text.startsWith("event:", start)) return from;
    out.cut(start);
    return start;
  }

  /** The text after "data:" of a line; undefined for other lines. */
  private dataOf(lines: Buffer, from: number, next: number): string | undefined {
    if (next - from < 6 || lines.toString("latin1", from, from + 5) !== "data:") return undefined;
    return lines.toString("utf8", from + 5, next).trim();
  }

  private deliver(out: Buffer[]): Buffer | undefined {
    if (!this.hasDelivered) {
      this.held.push(...out);
      return undefined;
    }
    const bytes = join([...this.held, ...out]);
    this.held = [];
    if (bytes) this.keep(bytes);
    return bytes;
  }

  private keep(bytes: Buffer): void {
    this.kept.push(bytes);
    this.keptBytes += bytes.length;
    if (this.keptBytes > COMPACT_BYTES) this.compact();
  }

  /** Replaces kept bytes by the text in them. Kept bytes are whole lines, so each can be read by itself. */
  private compact(): void {
    for (const bytes of this.kept) {
      let from = 0;
      while (from < bytes.length) {
        const next = bytes.indexOf(NEWLINE, from) + 1 || bytes.length;
        const data = this.dataOf(bytes, from, next);
        if (data !== undefined) {
          const { text, isFinish } = this.protocol.observe(data);
          this.text += text;
          if (isFinish) this.hasFinished = true;
        }
        from = next;
      }
    }
    this.kept = [];
    this.keptBytes = 0;
  }
}
