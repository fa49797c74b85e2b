import { DEFAULT_QUOTA_PER_UNIT, MAX_QUOTA } from "@tollgate/contract/values/quota";
import { DOLLARS, placesOf, type ShownCurrency, withSymbol } from "@tollgate/contract/values/shown-currency";
import { readStored } from "./local-store";

const two = (value: number): string => String(value).padStart(2, "0");

/** A local time as YYYY-MM-DD HH:mm:ss. */
export const formatDate = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
  `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;

/** Unix seconds as YYYY-MM-DD HH:mm:ss in local time; "" for 0, which means "not yet". */
export const formatTime = (seconds: number): string =>
  seconds > 0 ? formatDate(new Date(seconds * 1000)) : "";

const WRITTEN_TIME = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{1,2})(?::(\d{1,2}))?)?$/;

/** Parses the format of formatDate (time parts may be missing); undefined if the date does not exist. */
export const parseDate = (text: string): Date | undefined => {
  const match = WRITTEN_TIME.exec(text.trim());
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const date = new Date(year, month - 1, day, hour, minute, second);
  // The Date constructor rolls 31 February over into March; such a text is a mistake.
  const isReal =
    date.getMonth() === month - 1 && date.getDate() === day && hour < 24 && minute < 60 && second < 60;
  return isReal ? date : undefined;
};

/** Counts from 10,000 up are abbreviated: 10.0k, 1.0M, 1.0B. */
export const formatCount = (count: number): string => {
  const size = Math.abs(count);
  if (size >= 1_000_000_000) return `${(count / 1_000_000_000).toFixed(1)}B`;
  if (size >= 1_000_000) return `${(count / 1_000_000).toFixed(1)}M`;
  if (size >= 10_000) return `${(count / 1_000).toFixed(1)}k`;
  return String(count);
};

/** A whole number in full, with separators of thousands. */
export const inThousands = (count: number): string => count.toLocaleString("en-US");

/** An order's number as pages show it: the digits that identify it within a site. */
export const formatOrderNumber = (number: string): string => number.slice(0, 8);

/**
 * Marks a formatted sum that may be larger: servers send sums only up to the largest exact number
 * (storage/sql/whole-sum.ts). @param text the formatted sum.
 */
export const markBounded = (sum: number, text: string): string =>
  Math.abs(sum) < MAX_QUOTA ? text : `${sum < 0 ? "≤" : "≥"} ${text}`;

/** Quota points per dollar on this server, as stored at start-up. */
export const quotaPerUnit = (): number => {
  const stored = Number(readStored("quota_per_unit"));
  return stored > 0 ? stored : DEFAULT_QUOTA_PER_UNIT;
};

/** Whether the site shows quota in a currency. */
export const isShownInCurrency = (): boolean => readStored("display_in_currency") === "true";

/** The currency of amounts on this site, as stored at start-up: US dollars unless the server names another. */
export const shownCurrency = (): ShownCurrency => {
  const [currency = "", symbol = "", rate = ""] = (readStored("display_currency") ?? "").split(" ");
  return Number(rate) > 0 ? { currency, symbol, rate } : DOLLARS;
};

/** Quota points per unit of the shown currency. */
export const pointsPerShown = (): number => quotaPerUnit() / Number(shownCurrency().rate);

const inCurrency = (quota: number, digits: number): string => {
  const shown = shownCurrency();
  const text = (Math.abs(quota) / pointsPerShown()).toFixed(placesOf(shown.currency, digits));
  return withSymbol(quota < 0 ? `-${text}` : text, shown);
};

/**
 * Quota as the site shows it: money with `digits` decimals (2 in lists, 6 in logs; in currencies without cents two less),
 * or an abbreviated count.
 */
export const formatQuota = (quota: number, digits = 2): string =>
  isShownInCurrency() ? inCurrency(quota, digits) : formatCount(quota);
