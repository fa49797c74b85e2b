import { parseEvent } from "@tollgate/protocols/shared/stream/parse-event";

/*
 * Joins the data of events with several data lines, as a client would
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html), before any other code inspects them: the client and
 * the counter must see the same data. No known upstream writes such events. Some upstreams omit the blank line between
 * events, so lines that can be parsed by themselves are treated as separate events.
 */

const FEED = 10;
const RETURN = 13;
const LETTER_D = 100;
const DATA = "data:";

const isBlank = (text: string, from: number, next: number): boolean =>
  next - from === 1 || (next - from === 2 && text.charCodeAt(from) === RETURN);

const isData = (text: string, from: number): boolean =>
  text.charCodeAt(from) === LETTER_D && text.startsWith(DATA, from);

/**
 * Whether some event may have several data lines. It accepts any line with the same first letter, because checking the
 * whole name costs more than the rest, and events without several lines are returned unchanged.
 */
const mayHaveSeveralData = (text: string): boolean => {
  let hasData = false;
  for (let from = 0; from < text.length; ) {
    let next = text.indexOf("\n", from) + 1;
    if (text.charCodeAt(from) === LETTER_D) {
      if (hasData) return true;
      hasData = true;
      // A fast path: hardly any event continues, so its blank line is not looked for.
      if (text.charCodeAt(next) === FEED) {
        hasData = false;
        next += 1;
      }
    } else if (isBlank(text, from, next)) hasData = false;
    from = next;
  }
  return false;
};

/** The content of data lines, each alone and all joined. */
const contentOf = (line: string): string => line.slice(DATA.length).trim();
const isReadable = (data: string): boolean =>
  data === "" || data === "[DONE]" || parseEvent(Buffer.from(data, "latin1").toString("utf8")) !== undefined;

/** The most events of several lines in one read that are no JSON: to find that out takes some microseconds of each. */
const MAX_UNREADABLE = 256;

/**
 * The lines of one event, with its data on one line if it can only be parsed joined; undefined when it cannot be parsed
 * at all.
 */
const joinEvent = (lines: readonly string[]): readonly string[] | undefined => {
  const data = lines.filter((line) => isData(line, 0)).map(contentOf);
  if (data.length < 2 || data.every(isReadable)) return lines;
  // A line feed in JSON is as good as a blank.
  const all = data.join(" ");
  if (!isReadable(all)) return undefined;
  const first = lines.findIndex((line) => isData(line, 0));
  return lines.flatMap((line, at) => (at === first ? [`${DATA} ${all}\n`] : isData(line, 0) ? [] : [line]));
};

/** Joins the data of each event. @returns undefined when too many of them cannot be read. */
const joinData = (text: string): string | undefined => {
  const joined: string[] = [];
  let unreadable = 0;
  const add = (event: readonly string[]): void => {
    const lines = joinEvent(event);
    if (!lines) unreadable += 1;
    joined.push((lines ?? event).join(""));
  };
  let event: string[] = [];
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf("\n", from) + 1;
    event.push(text.slice(from, next));
    if (isBlank(text, from, next)) {
      add(event);
      if (unreadable > MAX_UNREADABLE) return undefined;
      event = [];
    }
    from = next;
  }
  add(event);
  return joined.join("");
};

/** Replaces lone carriage returns with line feeds; all offsets stay the same. */
const withFeeds = (text: string): string => (text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text);

/**
 * Normalizes events: line feeds instead of lone carriage returns, and one data line each.
 * @param text whole lines, one character per byte; returned unchanged when there is nothing to normalize.
 * @returns undefined when too many events cannot be parsed.
 */
export const plainEvents = (text: string): string | undefined => {
  const plain = withFeeds(text);
  return mayHaveSeveralData(plain) ? joinData(plain) : plain;
};

/** Whether the last of these whole lines is blank. */
const endsInBlank = (lines: Buffer): boolean => {
  const at = lines.length - 2;
  const before = lines[at] === RETURN ? lines[at - 1] : lines[at];
  return before === undefined || before === FEED;
};

/**
 * The offset of data that cannot be parsed before its event has ended; the length of the lines without one.
 * @param lines whole ones.
 */
export const unfinishedFrom = (lines: Buffer): number => {
  if (endsInBlank(lines)) return lines.length;
  const text = withFeeds(lines.toString("latin1"));
  let first = lines.length;
  let isWhole = true;
  for (let from = text.lastIndexOf("\n\n") + 1; from < text.length; ) {
    const next = text.indexOf("\n", from) + 1;
    if (isBlank(text, from, next)) {
      first = lines.length;
      isWhole = true;
    } else if (isData(text, from)) {
      first = Math.min(first, from);
      isWhole &&= isReadable(contentOf(text.slice(from, next)));
    }
    from = next;
  }
  return isWhole ? lines.length : first;
};

/** Whether a blank line ends an event in these bytes. @param before the byte before them. */
export const endEvent = (bytes: Buffer, before: number | undefined): boolean => {
  const begin = bytes[0] === RETURN ? bytes[1] : bytes[0];
  return (before === FEED && begin === FEED) || bytes.includes("\n\n") || bytes.includes("\n\r\n");
};
