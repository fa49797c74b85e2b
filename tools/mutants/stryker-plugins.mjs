// @ts-check

/** Properties of a list's column and of a part that say how it looks, and nothing else. */
const LOOKS = new Set(["className", "isNumber", "isPinned", "card"]);

/**
 * What became of a mutant.
 * @typedef {{status: string, fileName: string, location: {start: {line: number, column: number}}, mutatorName: string, replacement?: string}} Mutant
 */

/**
 * The mutants that were decided so far.
 * @type {Mutant[]}
 */
export const decided = [];

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
      onMutantTested: (mutant) => decided.push(mutant),
    },
  },
];
