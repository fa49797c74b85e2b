import { MAX_JSON_DEPTH } from "./scan-json";

/** Longer strings are cut: metering needs no string of this length. */
const MAX_STRING_BYTES = 256 * 1024;
/** The most that is kept of one text. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
/** The longest escape (\uXXXX). */
const ESCAPE_BYTES = 6;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const NULL = Buffer.from("null");

/**
 * Shrinks JSON that is too large or too deep to be parsed, without holding it: long strings (pictures, audio) are cut,
 * and deeply nested values become null. The rest, usage included, stays unchanged. Bytes may be split anywhere.
 */
export class JsonCondenser {
  private kept = Buffer.allocUnsafe(16 * 1024);
  private length = 0;
  private depth = 0;
  private isInString = false;
  /** Start of the current string in the kept bytes. */
  private stringStart = 0;
  private isCut = false;
  /** Number of backslashes at the end of the current string. */
  private slashes = 0;
  private isOverfull = false;

  push(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; )
      at = this.isInString ? this.readString(bytes, at) : this.readStructure(bytes, at);
  }

  /** @returns undefined when even without its long strings the text is too large. */
  end(): string | undefined {
    return this.isOverfull ? undefined : this.kept.toString("utf8", 0, this.length);
  }

  /** @returns the offset to continue at: after these bytes, or within a string. */
  private readStructure(bytes: Buffer, start: number): number {
    let from = start;
    for (let at = start; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        this.keep(bytes, from, at + 1);
        this.isInString = true;
        this.isCut = false;
        this.slashes = 0;
        this.stringStart = this.length;
        return at + 1;
      }
      if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        this.depth += 1;
        if (this.depth === MAX_JSON_DEPTH + 1) {
          this.depth -= 1;
          this.keep(bytes, from, at);
          this.keep(NULL, 0, NULL.length);
          this.depth += 1;
        }
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        if (this.depth === MAX_JSON_DEPTH + 1) from = at + 1;
        this.depth -= 1;
      }
    }
    this.keep(bytes, from, bytes.length);
    return bytes.length;
  }

  /** @returns the offset to continue at: after the closing quote, or after these bytes. */
  private readString(bytes: Buffer, start: number): number {
    for (let end = bytes.indexOf(QUOTE, start); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
      if (this.countSlashes(bytes, start, end) % 2 === 1) continue;
      this.keepOfString(bytes, start, end);
      this.isInString = false;
      this.keep(bytes, end, end + 1);
      return end + 1;
    }
    this.slashes = this.countSlashes(bytes, start, bytes.length);
    this.keepOfString(bytes, start, bytes.length);
    return bytes.length;
  }

  /** Number of backslashes before an offset of the string. */
  private countSlashes(bytes: Buffer, start: number, end: number): number {
    let at = end;
    while (at > start && bytes[at - 1] === BACKSLASH) at -= 1;
    return at === start ? this.slashes + (end - start) : end - at;
  }

  private keepOfString(bytes: Buffer, from: number, to: number): void {
    if (this.isCut) return;
    const room = MAX_STRING_BYTES - (this.length - this.stringStart);
    this.keep(bytes, from, Math.min(to, from + room));
    if (to - from <= room) return;
    this.isCut = true;
    this.cutBeforeEscape();
  }

  /** Half an escape at the end of a string would spoil the whole text. */
  private cutBeforeEscape(): void {
    const { kept, length, stringStart } = this;
    const nearest = kept.subarray(0, length).lastIndexOf(BACKSLASH);
    if (nearest < Math.max(stringStart, length - ESCAPE_BYTES)) return;
    let first = nearest;
    while (first > stringStart && kept[first - 1] === BACKSLASH) first -= 1;
    this.length = first;
  }

  private keep(bytes: Buffer, from: number, to: number): void {
    if (this.isOverfull || this.depth > MAX_JSON_DEPTH || to <= from) return;
    const length = this.length + to - from;
    if (length > MAX_KEPT_BYTES) {
      this.isOverfull = true;
      return;
    }
    if (length > this.kept.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, this.kept.length * 2));
      this.kept.copy(larger, 0, 0, this.length);
      this.kept = larger;
    }
    bytes.copy(this.kept, this.length, from, to);
    this.length = length;
  }
}
