/**
 * An exact, non-negative decimal: `digits / 10 ** scale`.
 * Ratios are prices, so they never pass through binary fractions (1.1 × 10 must cost 11, not 12 after rounding up).
 */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const PATTERN = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Maximum digits of a ratio before or after the point: keeps arithmetic bounded. */
const MAX_SCALE = 30;

/**
 * How long the text of one may be: both sides of the point, and room for zeros and an exponent. The work of reading grows with the
 * square of the length, and others write such texts.
 */
const MAX_LENGTH = 100;

export const ZERO: Decimal = { digits: 0n, scale: 0 };
export const ONE: Decimal = { digits: 1n, scale: 0 };
const HALF: Decimal = { digits: 5n, scale: 1 };

/**
 * Reads a decimal from a JSON number or its text ("0.75", 2, 1e-3).
 * @returns undefined when the text is no non-negative decimal with at most 30 digits on either side of the point, in at
 * most 100 characters.
 */
export const parseDecimal = (input: string | number): Decimal | undefined => {
  const text = String(input).trim();
  const match = text.length <= MAX_LENGTH ? PATTERN.exec(text) : undefined;
  if (!match) return undefined;
  const fraction = match[2] ?? "";
  const exponent = Number(match[3] ?? 0);
  let digits = BigInt((match[1] ?? "0") + fraction);
  let scale = fraction.length - exponent;
  if (scale < 0) {
    if (scale < -MAX_SCALE) return undefined;
    digits *= 10n ** BigInt(-scale);
    scale = 0;
  }
  const simple = simplify({ digits, scale });
  if (simple.scale > MAX_SCALE || simple.digits >= 10n ** BigInt(MAX_SCALE + simple.scale)) return undefined;
  return simple;
};

const POWERS = Array.from({ length: 2 * MAX_SCALE }, (_, scale) => 10n ** BigInt(scale));

const powerOfTen = (scale: number): bigint => POWERS[scale] ?? 10n ** BigInt(scale);

/** Exact product. */
export const multiply = (a: Decimal, b: Decimal): Decimal => ({
  digits: a.digits * b.digits,
  scale: a.scale + b.scale,
});

/** Exact product with a whole, non-negative number. */
export const multiplyInteger = (a: Decimal, n: number): Decimal => ({
  digits: a.digits * BigInt(n),
  scale: a.scale,
});

/** Exact sum. */
export const add = (a: Decimal, b: Decimal): Decimal => {
  if (a.scale === b.scale) return { digits: a.digits + b.digits, scale: a.scale };
  const scale = Math.max(a.scale, b.scale);
  return {
    digits: a.digits * powerOfTen(scale - a.scale) + b.digits * powerOfTen(scale - b.scale),
    scale,
  };
};

/** `a / b` with `places` digits after the point, rounded down; `b` must not be 0. @throws RangeError when it is. */
export const divideDown = (a: Decimal, b: Decimal, places: number): Decimal => ({
  digits: (a.digits * 10n ** BigInt(b.scale + places)) / (b.digits * 10n ** BigInt(a.scale)),
  scale: places,
});

/** Negative when `a` is the smaller one, 0 when both are the same number. */
export const compare = (a: Decimal, b: Decimal): number => {
  const isAlike = a.scale === b.scale;
  const left = isAlike ? a.digits : a.digits * powerOfTen(b.scale);
  const right = isAlike ? b.digits : b.digits * powerOfTen(a.scale);
  return left < right ? -1 : left > right ? 1 : 0;
};

export const isZero = (a: Decimal): boolean => a.digits === 0n;

/** The smallest whole number that is not below `a`; at most Number.MAX_SAFE_INTEGER. */
export const roundUp = (a: Decimal): number => {
  const unit = powerOfTen(a.scale);
  const whole = (a.digits + unit - 1n) / unit;
  return whole > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(whole);
};

/** The whole number that is nearest to `a`, of two the larger one; at most Number.MAX_SAFE_INTEGER. */
export const roundNearest = (a: Decimal): number => roundDown(add(a, HALF));

/** The largest whole number that is not above `a`; at most Number.MAX_SAFE_INTEGER. */
export const roundDown = (a: Decimal): number => {
  const whole = a.digits / powerOfTen(a.scale);
  return whole > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(whole);
};

/** The same number without zeros at the end of its fraction. */
export const simplify = ({ digits, scale }: Decimal): Decimal => {
  let rest = digits;
  let places = scale;
  while (places > 0 && rest % 10n === 0n) {
    rest /= 10n;
    places -= 1;
  }
  return { digits: rest, scale: places };
};

/** Text with at least `places` digits after the point; further digits are kept, never rounded away. */
export const formatDecimal = (a: Decimal, places = 0): string => {
  const text = a.digits.toString().padStart(a.scale + 1, "0");
  const whole = text.slice(0, text.length - a.scale);
  const fraction = (a.scale === 0 ? "" : text.slice(-a.scale)).padEnd(places, "0");
  return fraction === "" ? whole : `${whole}.${fraction}`;
};
