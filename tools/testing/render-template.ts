import { stringify } from "yaml";

/*
 * Renders as much of the template language of Go, with what Helm adds to it, as the product's chart uses: enough to see what comes
 * out of it where there is no helm. Anything else is an error, not a guess.
 */

type Scope = { dot: unknown; variables: Readonly<Record<string, unknown>> };

type Node =
  | { kind: "text"; text: string }
  | { kind: "output"; expression: string }
  | { kind: "if" | "with" | "range"; expression: string; body: Node[]; otherwise: Node[] };

const ACTION = /\{\{(-)?\s*(.*?)\s*(-)?\}\}/gs;

/** Texts and actions in turn, with the blanks taken away that `{{-` and `-}}` take. */
const splitActions = (template: string): (string | { action: string })[] => {
  const parts: (string | { action: string })[] = [];
  let at = 0;
  let isTrimmed = false;
  const addText = (text: string, endsTrimmed: boolean): void => {
    const begun = isTrimmed ? text.trimStart() : text;
    parts.push(endsTrimmed ? begun.trimEnd() : begun);
  };
  for (const found of template.matchAll(ACTION)) {
    addText(template.slice(at, found.index), found[1] === "-");
    parts.push({ action: found[2] ?? "" });
    at = found.index + found[0].length;
    isTrimmed = found[3] === "-";
  }
  addText(template.slice(at), false);
  return parts;
};

const parseNodes = (parts: (string | { action: string })[]): { nodes: Node[]; end: string } => {
  const nodes: Node[] = [];
  for (;;) {
    const part = parts.shift();
    if (part === undefined) return { nodes, end: "" };
    if (typeof part === "string") nodes.push({ kind: "text", text: part });
    else if (part.action === "end" || part.action === "else") return { nodes, end: part.action };
    else {
      const [, kind, expression = ""] = /^(if|with|range)\s+(.*)$/s.exec(part.action) ?? [];
      if (kind === "if" || kind === "with" || kind === "range") {
        const body = parseNodes(parts);
        const otherwise = body.end === "else" ? parseNodes(parts).nodes : [];
        nodes.push({ kind, expression, body: body.nodes, otherwise });
      } else nodes.push({ kind: "output", expression: part.action });
    }
  }
};

/** The words of an expression; what stands in parentheses is one. */
const splitWords = (expression: string): string[] => {
  const words: string[] = [];
  let depth = 0;
  for (const [token] of expression.matchAll(/"[^"]*"|[()|]|[^\s()|"]+|\s+/g)) {
    if (depth > 0) words[words.length - 1] += token;
    else if (token.trim() !== "") words.push(token);
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
  }
  return words;
};

const isTrue = (value: unknown): boolean =>
  value !== null && typeof value === "object" ? Object.keys(value).length > 0 : Boolean(value);

const FUNCTIONS: Readonly<Record<string, (...given: unknown[]) => unknown>> = {
  not: (value) => !isTrue(value),
  quote: (value) => JSON.stringify(String(value)),
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  printf: (format, ...values) => String(format).replace(/%s/g, () => String(values.shift())),
  toYaml: (value) => stringify(value).trimEnd(),
  nindent: (count, text) => `\n${String(text).replace(/^/gm, " ".repeat(Number(count)))}`,
};

const readField = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .filter((name) => name !== "")
    .reduce<unknown>((held, name) => {
      if (held === null || typeof held !== "object") throw new Error(`${path}: nothing has ${name}`);
      return (held as Record<string, unknown>)[name];
    }, value);

const readTerm = (word: string, scope: Scope): unknown => {
  if (word.startsWith("(")) return evaluate(word.slice(1, -1), scope);
  if (word.startsWith('"')) return JSON.parse(word);
  if (/^\d+$/.test(word)) return Number(word);
  if (word.startsWith("$")) return scope.variables[word.slice(1)];
  if (word.startsWith(".")) return readField(scope.dot, word);
  throw new Error(`unknown word ${word}`);
};

const evaluate = (expression: string, scope: Scope): unknown => {
  const calls: string[][] = [[]];
  for (const word of splitWords(expression)) {
    if (word === "|") calls.push([]);
    else calls.at(-1)?.push(word);
  }
  let piped: unknown[] = [];
  for (const [first = "", ...rest] of calls) {
    const call = FUNCTIONS[first];
    if (!call && rest.length > 0) throw new Error(`unknown function ${first}`);
    piped = [call ? call(...rest.map((word) => readTerm(word, scope)), ...piped) : readTerm(first, scope)];
  }
  return piped[0];
};

const renderNodes = (nodes: readonly Node[], scope: Scope): string =>
  nodes
    .map((node) => {
      if (node.kind === "text") return node.text;
      if (node.kind === "output") {
        const value = evaluate(node.expression, scope);
        if (value === undefined) throw new Error(`${node.expression} has no value`);
        return String(value);
      }
      const [, key = "", item = "", ranged] = /^\$(\w+), \$(\w+) := (.*)$/.exec(node.expression) ?? [];
      const value = evaluate(ranged ?? node.expression, scope);
      if (!isTrue(value)) return renderNodes(node.otherwise, scope);
      if (node.kind === "if") return renderNodes(node.body, scope);
      if (node.kind === "with") return renderNodes(node.body, { ...scope, dot: value });
      return Object.entries(value as object)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, held]) => {
          const variables = { ...scope.variables, [key]: name, [item]: held };
          return renderNodes(node.body, { ...scope, dot: held, variables });
        })
        .join("");
    })
    .join("");

/**
 * Renders a template.
 * @param data what `.` is, and stays inside of `if`
 * @throws Error for what this does not know
 */
export const renderTemplate = (template: string, data: unknown): string =>
  renderNodes(parseNodes(splitActions(template)).nodes, { dot: data, variables: {} });
