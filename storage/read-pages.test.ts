import { expect, it } from "vitest";
import { readPages } from "./read-pages";

it.each([
  [0, 3],
  [1, 3],
  [3, 3],
  [4, 3],
  [10, 1],
  [10, 100],
])("gives each of %i rows once, %i a page", async (count, limit) => {
  const ids = Array.from({ length: count }, (_, index) => index * 2 + 1);
  const seen: number[] = [];
  const read = async (after: number, most: number) => ids.filter((id) => id > after).slice(0, most);
  for await (const page of readPages(read, (id) => id, limit)) {
    expect(page.length).toBeLessThanOrEqual(limit);
    seen.push(...page);
  }
  expect(seen).toEqual(ids);
});
