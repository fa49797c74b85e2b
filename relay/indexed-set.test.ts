import { expect, test } from "vitest";
import { IndexedSet } from "./indexed-set";

const member = (name: string) => ({ name, slot: -1 });

test("knows who is in it, however they come and go", () => {
  const set = new IndexedSet<ReturnType<typeof member>>();
  const [a, b, c] = [member("a"), member("b"), member("c")];
  for (const each of [a, b, c]) set.add(each);
  set.delete(a);
  set.delete(a);
  expect(set.toArray().map(({ name }) => name)).toEqual(["c", "b"]);
  expect([a, b, c].map((each) => set.has(each))).toEqual([false, true, true]);
  set.delete(b);
  set.add(a);
  set.delete(c);
  expect(set.toArray()).toEqual([a]);
  expect(set.size).toBe(1);
});
