import { expect, expectTypeOf, it } from "vitest";
import { columnsOf, fieldsOf } from "./row-names";

it("names of columns and of fields are the same names in snake and in camel case", () => {
  const row = { id: 1, created_at: 2, max_per_user: null };
  const fields = { id: 1, createdAt: 2, maxPerUser: null };
  expect(fieldsOf(row)).toEqual(fields);
  expect(columnsOf(fields)).toEqual(row);
  expectTypeOf(fieldsOf(row)).toEqualTypeOf<{ id: number; createdAt: number; maxPerUser: null }>();
  expectTypeOf(columnsOf(fields)).toEqualTypeOf<{ id: number; created_at: number; max_per_user: null }>();
});
