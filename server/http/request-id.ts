const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

let second = 0;
let prefix = "";
let sequence = 0;

const pad = (value: number): string => String(value).padStart(2, "0");

const suffix = (): string => {
  let text = "";
  for (let i = 0; i < 8; i += 1) text += LETTERS[Math.floor(Math.random() * LETTERS.length)];
  return text;
};

/**
 * A new request id: local time to the second, a number that grows within it, and eight random characters, as the
 * contract's X-Oneapi-Request-Id looks (section 0.5). No secret, so Math.random is enough.
 */
export const createRequestId = (nowMs: number): string => {
  const now = Math.floor(nowMs / 1000);
  if (now !== second) {
    second = now;
    sequence = 0;
    const date = new Date(nowMs);
    prefix = `${date.getFullYear()}${pad(date.getMonth() + 1)}${pad(date.getDate())}${pad(date.getHours())}${pad(date.getMinutes())}${pad(date.getSeconds())}`;
  }
  sequence += 1;
  return `${prefix}${String(sequence).padStart(9, "0")}${suffix()}`;
};

export const REQUEST_ID_HEADER = "X-Oneapi-Request-Id";
