/** What of the page of prices stands in its address. */
export interface PricingSearch {
  q?: string;
  vendor?: string;
  trait?: string;
  group?: string;
  sort?: string;
}

const textOf = (value: unknown): string | undefined => {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text !== "" ? text : undefined;
};

export const readPricingSearch = (search: Record<string, unknown>): PricingSearch => ({
  q: textOf(search.q),
  vendor: textOf(search.vendor),
  trait: textOf(search.trait),
  group: textOf(search.group),
  sort: textOf(search.sort),
});
