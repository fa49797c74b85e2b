const LETTERS = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

let second = 0;
let prefix = "";
let sequence = 0;

const pad = (value: number): string => String(value).padStart(2, "0");

const pair = (): string => PAIRS[Math.floor(Math.random() * PAIRS.length)] as string;

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
  return `${prefix}${String(sequence).padStart(9, "0")}${pair()}${pair()}${pair()}${pair()}`;
};

export const REQUEST_ID_HEADER = "X-Oneapi-Request-Id";
