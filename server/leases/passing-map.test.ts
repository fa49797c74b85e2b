import { createRandom } from "@tollgate/testkit/random";
import { expect, test } from "vitest";
import { PassingMap } from "./passing-map";

test("has the entries of a map, in the same order, whatever was added and removed", () => {
  const random = createRandom(5);
  const map = new PassingMap<number, { key: number }>();
  const expected = new Map<number, { key: number }>();
  for (let key = 1; key <= 5000; key += 1) {
    const value = { key };
    map.set(key, value);
    expected.set(key, value);
    while (random() < 0.5) {
      const some = Math.ceil(random() * key);
      expect(map.delete(some)).toBe(expected.delete(some));
    }
    const asked = Math.ceil(random() * key);
    expect(map.get(asked)).toBe(expected.get(asked));
    expect(map.first()).toBe([...expected.values()][0]);
  }
  expect([...map.values()]).toEqual([...expected.values()]);
  for (const value of map.values()) map.delete(value.key);
  expect(map.first()).toBeUndefined();
});
