/** Response headers as the transport gives them, names in lower case. */
export type ResponseHeaders = Record<string, string | string[] | undefined>;

/** Longer waits are a vendor's mistake or a quota's reset; neither should lock a channel for days. */
const MAX_SECONDS = 24 * 60 * 60;

/**
 * The upstream's requested wait in seconds: `retry-after-ms`, or `retry-after` in seconds or as a date
 * (https://www.rfc-editor.org/rfc/rfc9110#name-retry-after). A date is compared with the answer's own `date` header, so
 * no clock is needed here.
 * @returns undefined when it is missing or unusable.
 */
export const readRetryAfterSeconds = (headers: ResponseHeaders): number | undefined => {
  const milliseconds = toNumber(headerText(headers, "retry-after-ms"));
  if (milliseconds !== undefined) return boundWait(milliseconds / 1000);
  const text = headerText(headers, "retry-after");
  const seconds = toNumber(text);
  if (seconds !== undefined) return boundWait(seconds);
  const difference = (Date.parse(text) - Date.parse(headerText(headers, "date"))) / 1000;
  return Number.isNaN(difference) ? undefined : boundWait(difference);
};

const headerText = (headers: ResponseHeaders, name: string): string => {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value)?.trim() ?? "";
};

const toNumber = (text: string): number | undefined => {
  if (text === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
};

/** @returns undefined for an invalid wait; a wait is at most a day. */
export const boundWait = (seconds: number): number | undefined =>
  seconds >= 0 ? Math.min(seconds, MAX_SECONDS) : undefined;
