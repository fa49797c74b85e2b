import { expect, test } from "vitest";
import { Crowd } from "./crowd";

const member = (name: string) => ({ name, place: -1 });

test("knows who is in it, however they come and go", () => {
  const crowd = new Crowd<ReturnType<typeof member>>();
  const [a, b, c] = [member("a"), member("b"), member("c")];
  for (const each of [a, b, c]) crowd.add(each);
  crowd.delete(a);
  crowd.delete(a);
  expect(crowd.toArray().map(({ name }) => name)).toEqual(["c", "b"]);
  expect([a, b, c].map((each) => crowd.has(each))).toEqual([false, true, true]);
  crowd.delete(b);
  crowd.add(a);
  crowd.delete(c);
  expect(crowd.toArray()).toEqual([a]);
  expect(crowd.size).toBe(1);
});
