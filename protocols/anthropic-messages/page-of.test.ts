import { describe, expect, it } from "vitest";
import { pageOf } from "./page-of";

const ITEMS = Array.from({ length: 25 }, (_, index) => ({ id: `m${index}` }));
const ids = (query: string): string[] => pageOf(ITEMS, query).data.map(({ id }) => id);

describe("pageOf", () => {
  it("gives twenty where the client does not say how many", () => {
    expect(ids("")).toHaveLength(20);
    expect(pageOf(ITEMS, "")).toMatchObject({ has_more: true, first_id: "m0", last_id: "m19" });
  });

  it.each([1, 3, 7, 25, 1000])("walks through all of them in steps of %i", (limit) => {
    const seen: string[] = [];
    let after = "";
    for (let turn = 0; turn < 30; turn += 1) {
      const page = pageOf(ITEMS, `limit=${limit}${after}`);
      seen.push(...page.data.map(({ id }) => id));
      if (!page.has_more) break;
      after = `&after_id=${page.last_id}`;
    }
    expect(seen).toEqual(ITEMS.map(({ id }) => id));
  });

  it("walks back", () => {
    expect(ids("limit=2&before_id=m5")).toEqual(["m3", "m4"]);
    expect(pageOf(ITEMS, "limit=5&before_id=m3")).toMatchObject({
      has_more: false,
      first_id: "m0",
      last_id: "m2",
    });
  });

  it.each(["limit=0", "limit=-1", "limit=1.5", "limit=x"])("takes %s for no limit", (query) => {
    expect(ids(query)).toHaveLength(20);
  });

  it("says of nothing that there is nothing", () => {
    expect(pageOf([], "limit=5")).toEqual({ data: [], has_more: false, first_id: null, last_id: null });
  });
});
