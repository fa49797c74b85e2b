import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/*
 * Words that leave the actor open. A comment names the actor by its role: the caller, an
 * administrator, another node.
 */

const OPEN_ACTORS = /\b(?:whoever|nobody|somebody|anybody|everybody|whom|anew)\b/gi;

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

const countOf = (file: string): number =>
  commentsOf(readFileSync(file, "utf8")).filter((line) => line.match(OPEN_ACTORS)).length;

describe("comments name the actor", () => {
  it.each([...ROOMS, "tools"])("in %s", (room) => {
    const sources = sourcesOf(room);
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.filter((file) => countOf(file) > 0)).toEqual([]);
  });

  it("would find one", () => {
    expect(commentsOf(" * Told to whoever asks.")[0]?.match(OPEN_ACTORS)).not.toBeNull();
  });
});
