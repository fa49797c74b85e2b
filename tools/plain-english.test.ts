import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/*
 * Words that comments and titles of tests do without: those that leave the actor open, whose role is named instead (the caller, an
 * administrator, another node), and turns of phrase that engineers do not use.
 */

const ACTORS = "whoever|nobody|somebody|anybody|everybody|whom|who finds";
const PHRASES =
  "anew|at the most|at the earliest|from the lowest on|all in all|still yet|nothing else but|is to be had|anyhow|hence|thus|lest|upon|amongst|whilst|hitherto|hereby|therein|thereof|wherein|whereof";
const AVOIDED = new RegExp(`\\b(?:${ACTORS}|${PHRASES})\\b`, "gi");

const ROOMS = readdirSync(".", { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(entry.name, "package.json")))
  .map(({ name }) => name);

const sourcesOf = (room: string): string[] =>
  readdirSync(room, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => join(room, path));

/** Lines of comments, as far as their own line says that they are one. */
const commentsOf = (source: string): string[] =>
  source.split("\n").filter((line) => /^\s*(?:\/\/|\/?\*|\{\/\*)/.test(line));

/** The first argument of `it`, `describe` and `test`, also behind the rows of a table: `it.each(rows)("title"`. */
const TITLE = /(?:\b(?:it|describe|test)(?:\.\w+)*|\))\(\s*(["'`])((?:\\.|(?!\1).)*)\1\s*,/gs;

const titlesOf = (source: string): string[] => [...source.matchAll(TITLE)].map(([, , title = ""]) => title);

const countIn = (file: string, read: (source: string) => string[]): number =>
  read(readFileSync(file, "utf8")).filter((text) => text.match(AVOIDED)).length;

describe("comments are in plain English", () => {
  it.each([...ROOMS, "tools"])("in %s", (room) => {
    const sources = sourcesOf(room);
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.filter((file) => countIn(file, commentsOf) > 0)).toEqual([]);
  });

  it("would find one", () => {
    expect(commentsOf(" * Told to whoever asks.")[0]?.match(AVOIDED)).not.toBeNull();
  });
});

describe("titles of tests are in plain English", () => {
  it.each([...ROOMS, "tools"])("in %s", (room) => {
    expect(sourcesOf(room).filter((file) => countIn(file, titlesOf) > 0)).toEqual([]);
  });

  it.each([
    'it("TITLE", () => {});',
    'describe.skip(\n  "TITLE",\n  () => {},\n);',
    'it.each([[1], [2]])("TITLE", (number) => {});',
    "test.skipIf(isSlow)('TITLE', () => {});",
    "it.each(rows)(`TITLE`, () => {});",
  ])("are found in %j", (source) => {
    expect(titlesOf(source)).toEqual(["TITLE"]);
  });
});
