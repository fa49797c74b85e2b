import { describe, expect, it } from "vitest";
import type { ListSearch } from "./list-search";
import { type ArrivedRows, viewList } from "./list-view";
import type { SortableColumn } from "./sort-rows";

interface Row {
  id: number;
}

const COLUMNS: SortableColumn<Row>[] = [{ id: "id", sortBy: (row) => row.id }, { id: "actions" }];
/** Number of server pages read before a list is sorted. */
const TO_SORT = 3;

const numbered = (count: number): Row[] => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));

const view = (count: number, arrived: Partial<ArrivedRows<Row>> = {}, search: ListSearch = {}) =>
  viewList(
    { rows: numbered(count), pages: 2, canGrow: true, hasFailed: false, hasFailedBefore: false, ...arrived },
    search,
    COLUMNS,
    TO_SORT,
  );

describe("V1: a list in the server's order", () => {
  it.each([
    // The last loaded page is full: a next one may follow.
    [20, {}, { page: 2 }, { page: 2, wantsMore: true, hasRoom: false, hasFailed: false }],
    [20, {}, { page: 1 }, { page: 1, wantsMore: false, hasRoom: false, hasFailed: false }],
    // The last page is not full: reading on is up to the user, unlike on the first page.
    [15, {}, { page: 2 }, { page: 2, wantsMore: false, hasRoom: true, hasFailed: false }],
    [5, { pages: 1 }, {}, { page: 1, wantsMore: true, hasRoom: false, hasFailed: false }],
    [5, { pages: 2 }, {}, { page: 1, wantsMore: false, hasRoom: true, hasFailed: false }],
    // The server has no more.
    [20, { canGrow: false }, { page: 2 }, { page: 2, wantsMore: false, hasRoom: false, hasFailed: false }],
    [15, { canGrow: false }, { page: 2 }, { page: 2, wantsMore: false, hasRoom: false, hasFailed: false }],
    [5, { canGrow: false, pages: 1 }, {}, { page: 1, wantsMore: false, hasRoom: false, hasFailed: false }],
    // The next rows failed to load: they are not requested again automatically.
    [20, { hasFailed: true }, { page: 2 }, { page: 2, wantsMore: false, hasRoom: false, hasFailed: true }],
    [20, { hasFailed: true }, { page: 1 }, { page: 1, wantsMore: false, hasRoom: false, hasFailed: false }],
    [15, { hasFailed: true }, { page: 2 }, { page: 2, wantsMore: false, hasRoom: true, hasFailed: true }],
    [
      15,
      { hasFailed: true, canGrow: false },
      { page: 2 },
      { page: 2, wantsMore: false, hasRoom: false, hasFailed: false },
    ],
  ])("%i rows, %j, %j", (count, arrived, search, expected) => {
    expect(view(count, arrived, search)).toMatchObject({ ...expected, isPartlySorted: false });
  });

  it.each([
    // [loaded rows, requested page, whether it is pending]
    [20, 3, true],
    [20, 2, false],
    [21, 3, false],
    [10, 2, true],
    [11, 2, false],
    [0, 1, true],
  ])("of %i rows waits for those of page %i: %s", (count, page, isWaiting) => {
    const shown = view(count, {}, { page });
    expect(shown.rows === undefined).toBe(isWaiting);
    expect(shown.page).toBe(page);
    if (isWaiting) expect(shown.wantsMore).toBe(true);
    expect(view(count, {}, { page, size: 10 }).rows === undefined).toBe(isWaiting);
  });

  it("waits no longer where the server has no more, or a call failed: it shows the last page that came", () => {
    for (const arrived of [{ canGrow: false }, { hasFailed: true }, { hasFailedBefore: true }])
      expect(view(20, arrived, { page: 4 })).toMatchObject({ page: 2, rows: numbered(20).slice(10) });
    expect(view(20, { hasFailedBefore: true }, { page: 4 }).wantsMore).toBe(true);
    expect(view(20, { hasFailed: true }, { page: 4 })).toMatchObject({ wantsMore: false, hasFailed: true });
  });
});

describe("V1: a sorted list", () => {
  const sorted = { sort: "-id" };

  it("is read as far as it is sorted before it is shown", () => {
    expect(view(20, {}, { ...sorted, page: 2 })).toMatchObject({
      rows: undefined,
      page: 2,
      pageCount: 1,
      wantsMore: true,
      isPartlySorted: true,
    });
  });

  it.each([
    [{ pages: TO_SORT }, { wantsMore: false, hasFailed: false, isPartlySorted: true }],
    [{ pages: TO_SORT + 1 }, { wantsMore: false, hasFailed: false, isPartlySorted: true }],
    [{ canGrow: false }, { wantsMore: false, hasFailed: false, isPartlySorted: false }],
    [{ hasFailed: true }, { wantsMore: false, hasFailed: true, isPartlySorted: true }],
    [
      { hasFailed: true, canGrow: false },
      { wantsMore: false, hasFailed: false, isPartlySorted: false },
    ],
  ])("that came as far as %j is shown in its order", (arrived, expected) => {
    const shown = view(20, arrived, sorted);
    expect(shown).toMatchObject({ ...expected, page: 1, pageCount: 2, hasRoom: false });
    expect(shown.rows?.map(({ id }) => id)).toEqual([20, 19, 18, 17, 16, 15, 14, 13, 12, 11]);
  });

  it("by a column that sorts nothing is in the server's order", () => {
    expect(view(5, { pages: 1 }, { sort: "actions" })).toMatchObject({
      rows: numbered(5),
      wantsMore: true,
      isPartlySorted: false,
    });
  });
});
