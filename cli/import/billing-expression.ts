import type { ModelPriceEntry, TierPrices, TokenPrices } from "@tollgate/contract/management/model-price";

/*
 * new-api's billing expressions (`billing_setting.billing_expr`), USD per million tokens: `tier("base", p * 3 + c *
 * 15)`, one for each length of the prompt `len <= 200000 ? tier(…) : tier(…)`, and `tier("request", fixed(0.04))`.
 * Expressions of anything else (the request's fields, the hour, images) cannot become a price.
 */

/** The variables of a sum: tokens read, written, read from a cache, written to one (5 minutes, an hour), and sound. */
const VARIABLES = ["p", "c", "cr", "cc", "cc1h", "ai", "ao"] as const;
type Variable = (typeof VARIABLES)[number];
type Sum = Partial<Record<Variable, number>>;

interface Branch {
  /** The longest prompt that it holds for. */
  upTo: number;
  price: { sum: Sum } | { fixed: number };
}

const TOKEN = /\s*(?:("[^"\\]*")|(\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?)|([A-Za-z_][\w]*)|(<=|>=|[<>?:()+*,]))/y;

interface Token {
  kind: "text" | "number" | "name" | "sign";
  text: string;
}

const MAX_TOKENS = 2000;
const MAX_BRANCHES = 20;

const tokenize = (text: string): Token[] | undefined => {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text);
    if (!match || tokens.length >= MAX_TOKENS) return undefined;
    const [, quoted, number, name, sign] = match;
    if (quoted !== undefined) tokens.push({ kind: "text", text: quoted });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (name !== undefined) tokens.push({ kind: "name", text: name });
    else tokens.push({ kind: "sign", text: sign ?? "" });
  }
  return tokens;
};

/** Thrown and caught in this file alone. */
class Unsayable extends Error {}

class Reader {
  private at = 0;
  constructor(private readonly tokens: readonly Token[]) {}

  get isAtEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  peek(text: string): boolean {
    return this.tokens[this.at]?.text === text;
  }

  take(text: string): void {
    if (!this.peek(text)) throw new Unsayable();
    this.at += 1;
  }

  next(kind: Token["kind"]): string {
    const token = this.tokens[this.at];
    if (token?.kind !== kind) throw new Unsayable();
    this.at += 1;
    return token.text;
  }

  skip(text: string): boolean {
    if (!this.peek(text)) return false;
    this.at += 1;
    return true;
  }

  number(): number {
    return Number(this.next("number"));
  }

  isNumber(): boolean {
    return this.tokens[this.at]?.kind === "number";
  }
}

const isVariable = (name: string): name is Variable => VARIABLES.some((each) => each === name);

/** `p * 3`, `3 * p` or `p`. */
const readTerm = (reader: Reader, sum: Sum): void => {
  let factor = 1;
  let name: string;
  if (reader.isNumber()) {
    factor = reader.number();
    reader.take("*");
    name = reader.next("name");
  } else {
    name = reader.next("name");
    if (reader.skip("*")) factor = reader.number();
  }
  if (!isVariable(name) || sum[name] !== undefined) throw new Unsayable();
  sum[name] = factor;
};

/** `tier("name", …)`. */
const readTier = (reader: Reader): Branch["price"] => {
  reader.take("tier");
  reader.take("(");
  reader.next("text");
  reader.take(",");
  let price: Branch["price"];
  if (reader.skip("fixed")) {
    reader.take("(");
    price = { fixed: reader.number() };
    reader.take(")");
  } else {
    const sum: Sum = {};
    do readTerm(reader, sum);
    while (reader.skip("+"));
    price = { sum };
  }
  reader.take(")");
  return price;
};

const readBranches = (reader: Reader, branches: Branch[]): void => {
  if (branches.length >= MAX_BRANCHES) throw new Unsayable();
  if (reader.skip("(")) {
    readBranches(reader, branches);
    reader.take(")");
    return;
  }
  if (!reader.peek("len")) {
    branches.push({ upTo: Number.POSITIVE_INFINITY, price: readTier(reader) });
    return;
  }
  reader.take("len");
  const sign = reader.next("sign");
  const bound = reader.number();
  if (!Number.isSafeInteger(bound) || bound < 1 || (sign !== "<=" && sign !== "<")) throw new Unsayable();
  reader.take("?");
  branches.push({ upTo: sign === "<" ? bound - 1 : bound, price: readTier(reader) });
  reader.take(":");
  readBranches(reader, branches);
};

/** A missing class counts as read tokens, or, of tokens written to a cache, as the other of the two. */
const pricesOf = (sum: Sum, hasSound: boolean): Omit<TokenPrices, "from" | "tiers"> => {
  const { p = 0, c = 0, cr = p, cc = p, cc1h = cc, ai = p, ao = c } = sum;
  const sound = hasSound ? { audioInput: ai, audioOutput: ao } : {};
  return { input: p, output: c, cacheRead: cr, cacheWrite5m: cc, cacheWrite1h: cc1h, ...sound };
};

/**
 * Reads a billing expression.
 * @returns undefined for one that cannot be said as a price of this gateway. Never throws.
 */
export const readBillingExpression = (text: string): ModelPriceEntry | undefined => {
  const tokens = tokenize(text.replace(/^\s*v1:/, ""));
  if (!tokens) return undefined;
  const reader = new Reader(tokens);
  const branches: Branch[] = [];
  try {
    readBranches(reader, branches);
  } catch (error) {
    if (error instanceof Unsayable) return undefined;
    throw error;
  }
  const [first, ...further] = branches;
  if (!reader.isAtEnd || !first) return undefined;
  if ("fixed" in first.price) return further.length === 0 ? { perCall: first.price.fixed } : undefined;
  const sums = branches.flatMap(({ price }) => ("sum" in price ? [price.sum] : []));
  if (sums.length !== branches.length) return undefined;
  const hasSound = sums.some(({ ai, ao }) => ai !== undefined || ao !== undefined);
  const tiers: TierPrices[] = [];
  let above = first.upTo;
  for (const [index, { upTo }] of further.entries()) {
    if (upTo <= above || above < 1) return undefined;
    tiers.push({ aboveTokens: above, ...pricesOf(sums[index + 1] ?? {}, hasSound) });
    above = upTo;
  }
  const base = pricesOf(sums[0] ?? {}, hasSound);
  return tiers.length === 0 ? base : { ...base, tiers };
};
