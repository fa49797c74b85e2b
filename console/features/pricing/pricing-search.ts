/** The state of the price page in its address. */
export interface PricingSearch {
  q?: string;
  vendor?: string;
  trait?: string;
  /** Minimum tokens of context. */
  context?: number;
  group?: string;
  sort?: string;
}

/** Choices for the minimum context, in tokens. */
export const CONTEXTS = [32_000, 128_000, 200_000, 1_000_000] as const;

const textOf = (value: unknown): string | undefined => {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text !== "" ? text : undefined;
};

export const readPricingSearch = (search: Record<string, unknown>): PricingSearch => ({
  q: textOf(search.q),
  vendor: textOf(search.vendor),
  trait: textOf(search.trait),
  context: CONTEXTS.find((each) => String(each) === textOf(search.context)),
  group: textOf(search.group),
  sort: textOf(search.sort),
});
