import type { PassThrough } from "@tollgate/contract/relay/protocol";

/* Finds the lines of a stream that matter, without parsing any: most lines of a long answer only pass. */

const NEWLINE = 10;
const DATA = "data:";
/** Data without content: empty, or a ping. */
const PING = /[ \t]*(?:[\r\n]|\{\s*"type"\s*:\s*"(?:ping|keepalive)")/y;

/** Whether a line of data is more than keep-alive. */
export const hasNews = (text: string): boolean => {
  for (let at = text.indexOf(DATA); at !== -1; at = text.indexOf(DATA, at + DATA.length)) {
    if (at > 0 && text.charCodeAt(at - 1) !== NEWLINE) continue;
    PING.lastIndex = at + DATA.length;
    if (!PING.test(text)) return true;
  }
  return false;
};

/** The protocol's functions for inspecting events. */
export type EventView = Pick<PassThrough, "inspectEvent" | "markers">;

const patterns = new Map<EventView, RegExp>();

/** One pattern for all markers of a protocol: matching lines are inspected. */
export const markerPattern = (protocol: EventView): RegExp => {
  let pattern = patterns.get(protocol);
  if (!pattern) {
    const escaped = protocol.markers.map((text) =>
      text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll('":', '"\\s*:\\s*'),
    );
    pattern = new RegExp(escaped.join("|"), "g");
    patterns.set(protocol, pattern);
  }
  return pattern;
};

/** The text after "data:" of a line; undefined for other lines. */
export const dataOf = (lines: Buffer, from: number, next: number): string | undefined => {
  if (next - from < 6 || lines.toString("latin1", from, from + 5) !== DATA) return undefined;
  return lines.toString("utf8", from + 5, next).trim() || undefined;
};

/** Whether any line gives the client something, or ends the answer. */
export const hasContent = (protocol: EventView, lines: Buffer): boolean => {
  for (let from = 0; from < lines.length; ) {
    const next = lines.indexOf(NEWLINE, from) + 1 || lines.length;
    const data = dataOf(lines, from, next);
    from = next;
    if (data === undefined) continue;
    const { text, media, isDelivery, isFinish, isEnd } = protocol.inspectEvent(data);
    const hasMedia = media !== undefined && Object.values(media).some((count) => count > 0);
    if (text !== "" || hasMedia || isDelivery || isFinish || isEnd) return true;
  }
  return false;
};
