import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod/mini";
import { type CallOf, type DataOf, endpoint, requestOf } from "./endpoint";
import { int, text } from "./fields";
import { listOf, resource } from "./resource";

const thing = resource({ id: int("id"), shownName: text("shown_name") });

const rename = endpoint({
  method: "PUT",
  path: "/api/thing/:id/names/:language",
  guard: "user",
  summary: "Renames a thing",
  query: { dry: "changes nothing" },
  body: z.object({ shown_name: z.string() }),
  data: thing,
});
const list = endpoint({
  method: "GET",
  path: "/api/thing/",
  guard: "none",
  summary: "All",
  data: listOf(thing),
});

describe("a declared endpoint", () => {
  it("builds requests with its parameters encoded in the path", () => {
    const body = { shown_name: "x" };
    expect(requestOf(rename, { params: { id: 7, language: "a/../b?" }, body, query: { dry: true } })).toEqual(
      {
        method: "PUT",
        path: "/api/thing/7/names/a%2F..%2Fb%3F",
        query: { dry: true },
        body,
      },
    );
    expect(requestOf(list, {})).toEqual({ method: "GET", path: "/api/thing/" });
  });

  it("refuses calls of other shapes when they are compiled", () => {
    // @ts-expect-error a parameter of the path is missing
    requestOf(rename, { params: { id: 7 }, body: { shown_name: "x" } });
    // @ts-expect-error the body has another field
    requestOf(rename, { params: { id: 7, language: "en" }, body: { name: "x" } });
    // @ts-expect-error the query has another parameter
    requestOf(list, { query: { page: 1 } });
    expectTypeOf<CallOf<typeof list>>().toExtend<{ query?: object }>();
    expectTypeOf<DataOf<typeof list>>().toEqualTypeOf<{ id: number; shownName: string }[]>();
  });
});

describe("the format of a resource", () => {
  it("renames fields on the wire, and reads missing fields as neutral values", () => {
    expect(thing.encode({ id: 1, shownName: "x" })).toEqual({ id: 1, shown_name: "x" });
    expect(thing.read({ id: "1", shown_name: null })).toEqual({ id: 1, shownName: "" });
    expect(thing.read("nothing")).toBeUndefined();
  });

  it("leaves unreadable items of a list out", () => {
    expect(listOf(thing).read([{ id: 1 }, 2, null])).toEqual([{ id: 1, shownName: "" }]);
    expect(listOf(thing).read("nothing")).toEqual([]);
  });
});
