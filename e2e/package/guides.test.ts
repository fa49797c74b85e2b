import { readFileSync, rmSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { copyCheckout, doStep, readSteps } from "./follow-guide";

/*
 * Follows the guides for people who change the product to the letter, in a copy of the checkout: nothing is known here but what the
 * guide says.
 */

const copies: string[] = [];

afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});

it.each([["add-a-vendor", 5]])("leads to a passing test: %s", (name, count) => {
  const steps = readSteps(readFileSync(`docs/guides/${name}.md`, "utf8"));
  expect(steps).toHaveLength(count);
  const copy = copyCheckout();
  copies.push(copy);
  for (const step of steps) expect(doStep(copy, step)).toMatchObject({ status: 0 });
});
