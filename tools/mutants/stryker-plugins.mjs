// @ts-check
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { STRYKER_FOLDER } from "./stryker.mjs";

/** Properties of a list, of its columns and of other parts that say how they look, and nothing else. */
const LOOKS = new Set(["className", "isNumber", "isPinned", "isFaint", "card", "icon", "spellCheck"]);

/**
 * What became of a mutant.
 * @typedef {{status: string, fileName: string, location: {start: {line: number, column: number}}, mutatorName: string, replacement?: string}} Mutant
 */

/**
 * The mutants that were decided so far.
 * @type {Mutant[]}
 */
export const decided = [];

/** Every mutant as it was decided, one a line, with the tests that reach it and the one that noticed it. */
export const DECIDED_FILE = join(STRYKER_FOLDER, "../decided.jsonl");

/**
 * Plugins of Stryker. "looks" leaves out the mutants of what a page looks like: a class or an alignment is seen in a
 * picture, not in a document without a layout. "decided" keeps what was found out, also when the time runs out.
 */
export const strykerPlugins = [
  {
    kind: "Ignore",
    name: "looks",
    value: {
      /** @param {{node: any}} path a path of Babel's syntax tree */
      shouldIgnore({ node }) {
        const name =
          node.type === "JSXAttribute"
            ? node.name.name
            : node.type === "ObjectProperty"
              ? node.key.name
              : undefined;
        return LOOKS.has(name) || name === "aria-hidden" ? "a matter of looks" : undefined;
      },
    },
  },
  {
    kind: "Reporter",
    name: "decided",
    value: {
      /** @param {Mutant} mutant */
      onMutantTested(mutant) {
        decided.push(mutant);
        appendFileSync(DECIDED_FILE, `${JSON.stringify(mutant)}\n`);
      },
    },
  },
];
