import { type Decimal, parseDecimal } from "@tollgate/contract/values/decimal";

/** An amount that may be below 0, as credits are. */
export interface SignedAmount {
  isNegative: boolean;
  size: Decimal;
}

/** An amount is shorter; longer text is not parsed. */
const MAX_CHARACTERS = 150;

/** Text around the digits: currency signs and codes, and spaces. */
const AROUND = /^(?:[\p{Sc}\s]|US\$|USD|CNY)+|(?:[\p{Sc}\s]|USD|CNY)+$/gu;

/**
 * Reads an amount as people and programs write it: `1,234.56`, `1.234,56` with a comma for the point, `$0.5`,
 * `(12.30)`, `-3e-5`.
 * @param point the decimal separator.
 * @returns undefined for any other text.
 */
export const readAmount = (cell: string, point: "." | ","): SignedAmount | undefined => {
  if (cell.length > MAX_CHARACTERS) return undefined;
  let text = cell.replace(AROUND, "").trim();
  const isInParentheses = /^\(.*\)$/.test(text);
  if (isInParentheses) text = text.slice(1, -1).replace(AROUND, "");
  const isMinus = /^[-−]/.test(text);
  text = text.replace(/^[-−+]/, "").replace(AROUND, "");
  const thousands = point === "." ? "," : ".";
  // Thousands are groups of three digits; anything else with such a sign is another way to write.
  const [whole = "", ...fraction] = text.split(point);
  if (whole.includes(thousands) && !/^\d{1,3}(?:[.,]\d{3})+$/.test(whole)) return undefined;
  // 1.234,56 read with a decimal point would be a thousandth of its value.
  if (fraction.some((digits) => digits.includes(thousands))) return undefined;
  const size = parseDecimal(text.replaceAll(thousands, "").replace(point, "."));
  return size && { isNegative: isMinus !== isInParentheses && size.digits > 0n, size };
};

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
/** Later than any date in seconds, earlier than any of this century in milliseconds. */
const MILLISECONDS_FROM = 100_000_000_000;

const WRITTEN =
  /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;

const FOUR_DIGITS = /^\d{4}-/;

const zoneMinutes = (zone: string): number => {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (!match) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === "-" ? 0 - minutes : minutes;
};

/** Milliseconds since the epoch, shown at an offset in minutes from UTC. */
const clockMs = (ms: number, offsetMinutes: number): number => ms + offsetMinutes * MINUTE_MS;

/**
 * The day of a time, at an offset in minutes from UTC. A time with a zone is converted to that offset, one without is
 * already at it; unix seconds and milliseconds are read as well. The year comes first, because 01/02/2026 is ambiguous.
 * @returns YYYY-MM-DD; undefined for an invalid time.
 */
export const readDay = (cell: string, offsetMinutes: number): string | undefined => {
  const text = cell.trim();
  if (/^\d{9,13}(?:\.\d+)?$/.test(text)) {
    const value = Number(text);
    const ms = value < MILLISECONDS_FROM ? value * SECOND_MS : value;
    return new Date(clockMs(ms, offsetMinutes)).toISOString().slice(0, 10);
  }
  const match = WRITTEN.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(ms);
  // A year of two digits would be one of the last century.
  const isDate =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDate || hour > 23 || minute > 59) return undefined;
  const zone = match[7];
  const shown = zone === undefined ? ms : clockMs(ms - zoneMinutes(zone) * MINUTE_MS, offsetMinutes);
  const shownText = new Date(shown).toISOString();
  // The last hours of the year 9999 may be of the next one elsewhere.
  return FOUR_DIGITS.test(shownText) ? shownText.slice(0, 10) : undefined;
};

/** A bill's model name: some append the kind of usage after a comma. */
export const readBilledModel = (cell: string): string => (cell.split(",")[0] ?? "").trim();
