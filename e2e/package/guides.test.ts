import { readdirSync, readFileSync, rmSync } from "node:fs";
import { someOf } from "@tollgate/testkit/seeds";
import { afterAll, expect, it } from "vitest";
import { copyCheckout, doStep, readSteps, type Step } from "./follow-guide";

/*
 * Follows the guides for people who change the product to the letter, in a copy of the checkout: nothing is known here but what the
 * guide says.
 */

const copies: string[] = [];

afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});

/** The guides with a whole example, and the number of its steps: first the one whose tests are quick. */
const GUIDES: readonly (readonly [name: string, steps: number])[] = [
  ["add-a-language", 9],
  ["add-a-vendor", 5],
  ["add-an-option", 5],
  ["add-a-call", 5],
  ["add-a-resource", 26],
  ["add-a-setting", 5],
  ["add-a-sign-in-method", 9],
  ["add-a-client-endpoint", 2],
];

/** Guides whose subject is too large for an example: the files that they name must be there (tools/documents.test.ts). */
const WITHOUT_EXAMPLE = ["add-a-protocol", "add-a-screen"];

it("follows each guide for people who change the product", () => {
  const guides = readdirSync("docs/guides").filter((file) => file.startsWith("add-a"));
  const known = [...GUIDES.map(([name]) => name), ...WITHOUT_EXAMPLE].map((name) => `${name}.md`);
  expect(guides.sort()).toEqual(known.sort());
});

const stepsOf = (name: string): Step[] => readSteps(readFileSync(`docs/guides/${name}.md`, "utf8"));

const copy = (): string => {
  const folder = copyCheckout();
  copies.push(folder);
  return folder;
};

it("finds the place of each change of each guide", () => {
  const folder = copy();
  for (const [name, count] of GUIDES) {
    const steps = stepsOf(name);
    expect(steps).toHaveLength(count);
    for (const step of steps.filter(({ code }) => !code.includes("npx vitest")))
      expect(doStep(folder, step)).toMatchObject({ status: 0 });
  }
});

it.each(someOf(GUIDES))("leads to a passing test: %s", (name) => {
  const folder = copy();
  for (const step of stepsOf(name)) expect(doStep(folder, step)).toMatchObject({ status: 0 });
});
