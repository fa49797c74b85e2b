import { parseEvent } from "@tollgate/protocols/shared/stream/parse-event";

/*
 * Events whose data stands in several lines, which a client joins
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html). They are joined before anything looks at them, so
 * that what a client reads is what is counted. No upstream that is known writes them; some leave out the blank line
 * between events instead: lines that can be read by themselves are events by themselves.
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
 * Whether some event may have several lines of data: whatever begins like one counts, since looking at the whole name of
 * each line costs more than all the rest, and what has nothing to be joined comes back as it was.
 */
const mayHaveSeveralData = (text: string): boolean => {
  let hasData = false;
  for (let from = 0; from < text.length; ) {
    let next = text.indexOf("\n", from) + 1;
    if (text.charCodeAt(from) === LETTER_D) {
      if (hasData) return true;
      hasData = true;
      // Hardly any event goes on: its blank line is not looked for.
      if (text.charCodeAt(next) === FEED) {
        hasData = false;
        next += 1;
      }
    } else if (isBlank(text, from, next)) hasData = false;
    from = next;
  }
  return false;
};

/** Of lines of data what stands in them, by themselves and all together. */
const contentOf = (line: string): string => line.slice(DATA.length).trim();
const isReadable = (data: string): boolean =>
  data === "" || data === "[DONE]" || parseEvent(Buffer.from(data, "latin1").toString("utf8")) !== undefined;

/** The most events of several lines in one read that are no JSON: to find that out takes some microseconds of each. */
const MAX_UNREADABLE = 256;

/**
 * The lines of one event, with its data in one line where only all of it together can be read; undefined where not even
 * that can.
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

/** Puts line feeds in the place of returns alone; everything stays where it is. */
const withFeeds = (text: string): string => (text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text);

/**
 * The same events with line feeds in the place of returns alone, and with one line of data each.
 * @param text whole lines, a character for each byte; it is given back where nothing has to be changed.
 * @returns undefined when too many events cannot be read.
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
 * Where data begins that cannot be read before its event has ended: the length of the lines when there is none.
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

/** Whether these bytes end an event, by a blank line. @param before the byte before them. */
export const endEvent = (bytes: Buffer, before: number | undefined): boolean => {
  const begin = bytes[0] === RETURN ? bytes[1] : bytes[0];
  return (before === FEED && begin === FEED) || bytes.includes("\n\n") || bytes.includes("\n\r\n");
};
