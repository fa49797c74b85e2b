import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type ESTree, parseSync, Visitor } from "vite";
import { describe, expect, it } from "vitest";
import { SHIPPED } from "./lib/rooms.mjs";

/*
 * A function that is read in one go: at most 100 lines, those of the functions within it included, and at most 15 for its own
 * cyclomatic complexity. Biome counts neither: its lines are those of statements, and its complexity is the cognitive one.
 */

const MAX_LINES = 100;
const MAX_COMPLEXITY = 15;

/**
 * More complex functions by room: readers of bytes, whose branches are those of the format, and tables: one short case for
 * each kind of a part, an item or an event.
 */
const BRANCHED: Readonly<Record<string, readonly string[]>> = {
  protocols: [
    ...["bytesPerSecond", "clockOf", "frameSeconds", "read", "readChunks", "take", "walk"],
    ...["addTool", "push"],
  ],
  relay: ["readExtension", "readFrame"],
  storage: ["readFile"],
};

interface Measured {
  name: string;
  lines: number;
  complexity: number;
}

interface Found extends Measured {
  file: string;
}

type Fn = ESTree.Function | ESTree.ArrowFunctionExpression;

const FILES = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...SHIPPED], {
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\//.test(file));

/** Nodes at which a function goes one of two ways, besides optional chaining. */
const BRANCHES = [
  ...["IfStatement", "ConditionalExpression", "LogicalExpression", "CatchClause"],
  ...["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"],
] as const;

/** The functions of a source; one without a name has that of the function around it. */
const measure = (file: string, source: string): Measured[] => {
  const names = new Map<ESTree.Node, string>();
  const open: Measured[] = [];
  const found: Measured[] = [];
  const nameBy = (key: ESTree.Node, value: ESTree.Node | null): void => {
    if (value && key.type === "Identifier") names.set(value, key.name);
  };
  const enter = (node: Fn): void => {
    const own = names.get(node) ?? node.id?.name ?? open.at(-1)?.name ?? "";
    const lines = source.slice(node.start, node.end).split("\n").length;
    open.push({ name: own, lines, complexity: 1 });
  };
  const leave = (): void => {
    const measured = open.pop();
    if (measured) found.push(measured);
  };
  const branch = (): void => {
    const around = open.at(-1);
    if (around) around.complexity += 1;
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => nameBy(id, init),
    Property: ({ key, value }) => nameBy(key, value),
    PropertyDefinition: ({ key, value }) => nameBy(key, value),
    MethodDefinition: ({ key, value }) => nameBy(key, value),
    ...Object.fromEntries(
      ["ArrowFunctionExpression", "FunctionExpression", "FunctionDeclaration"].flatMap((type) => [
        [type, enter],
        [`${type}:exit`, leave],
      ]),
    ),
    ...Object.fromEntries(BRANCHES.map((type) => [type, branch])),
    SwitchCase: ({ test }) => test && branch(),
  }).visit(parseSync(file, source).program);
  return found;
};

const isBranched = (file: string, name: string): boolean => {
  const [room = ""] = file.split("/");
  return BRANCHED[room]?.includes(name) ?? false;
};

/** Names in the list that no function above the limit has any more, by room. */
const staleIn = (above: readonly Found[]): string[] =>
  Object.entries(BRANCHED).flatMap(([room, listed]) =>
    listed
      .filter((name) => !above.some((each) => each.file.startsWith(`${room}/`) && each.name === name))
      .map((name) => `${room}: ${name}`),
  );

describe("functions of the product", () => {
  const functions = FILES.flatMap((file): Found[] =>
    measure(file, readFileSync(file, "utf8")).map((measured) => ({ file, ...measured })),
  );
  const complex = functions.filter(({ complexity }) => complexity > MAX_COMPLEXITY);

  it(`have at most ${MAX_LINES} lines`, () => {
    expect(functions.length).toBeGreaterThan(10_000);
    expect(functions.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
  });

  it(`have a complexity of at most ${MAX_COMPLEXITY}`, () => {
    expect(complex.filter(({ file, name }) => !isBranched(file, name))).toEqual([]);
  });

  it("are listed only while they are more complex", () => {
    expect(staleIn(complex)).toEqual([]);
  });
});

describe("the measure", () => {
  it("counts the lines of inner functions, and branches of the function itself alone", () => {
    const inner = `const inner = (a?: number) => {\n  for (;;) if (a && a > 1 ? a : 0) return;\n};`;
    const outer = `const outer = () => {\n${inner}\n  switch (1) {\n    case 1:\n    default:\n  }\n};`;
    expect(measure("a.ts", outer)).toEqual([
      { name: "inner", lines: 3, complexity: 5 },
      { name: "outer", lines: 9, complexity: 2 },
    ]);
  });

  it("names methods and callbacks after their owners", () => {
    const source = "class A { run() { return [1].map((one) => one); } }";
    expect(measure("a.ts", source).map(({ name }) => name)).toEqual(["run", "run"]);
  });
});
