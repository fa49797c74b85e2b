import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/*
 * While nodes are brought to a new version one after another, the old ones go on with the schema of the new one. So a migration
 * after the first only adds, and what it adds must be nothing that an older program has to know.
 */

/** What takes something away from an older program, or refuses what it writes. */
const BREAKING: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["drops", /\bDROP\b(?! (TRIGGER|FUNCTION) IF EXISTS)/i],
  ["renames", /\bRENAME\b/i],
  ["changes a type", /\bALTER\s+(COLUMN\s+)?"?\w+"?\s+(SET\s+DATA\s+)?TYPE\b/i],
  ["asks for a value", /\bSET\s+NOT\s+NULL\b/i],
  ["takes a default away", /\bDROP\s+DEFAULT\b/i],
  ["empties", /\bTRUNCATE\b/i],
  [
    "adds a column that an older program does not fill",
    /\bADD\s+(COLUMN\s+)?(?!CONSTRAINT)[^,;]*\bNOT\s+NULL\b(?![^,;]*\b(DEFAULT|GENERATED)\b)(?<!\b(DEFAULT|GENERATED)\b[^,;]*NOT\s+NULL)/i,
  ],
  // A new table says UNIQUE and CHECK in itself.
  ["refuses what an older program may write", /\bADD\s+CONSTRAINT\b|\bCREATE\s+UNIQUE\b/i],
];

const COMMENTS = /\/\*.*?\*\/|^\s*(\/\/|--).*$/gms;

const breaks = (text: string): string[] => {
  const said = text.replaceAll(COMMENTS, "");
  return BREAKING.filter(([, pattern]) => pattern.test(said)).map(([what]) => what);
};

const STORAGE = fileURLToPath(new URL("../storage/", import.meta.url));

const later = readdirSync(STORAGE, { recursive: true, encoding: "utf8" }).filter((path) =>
  /^\w+\/sql\/migrations\/.*[.]ts$/.test(path),
);

describe("migrations after the first", () => {
  it.each([
    ["drops", "ALTER TABLE users DROP COLUMN email"],
    ["drops", "drop table users"],
    ["renames", "ALTER TABLE users RENAME COLUMN email TO mail"],
    ["changes a type", "ALTER TABLE users ALTER COLUMN email TYPE INT"],
    ["asks for a value", "ALTER TABLE users ALTER email SET NOT NULL"],
    ["empties", "TRUNCATE users"],
    ["adds a column that an older program does not fill", "ALTER TABLE users ADD COLUMN x INT NOT NULL"],
    // A new table says UNIQUE and CHECK in itself.
    ["refuses what an older program may write", "CREATE UNIQUE INDEX a ON users (email)"],
  ])("would be found when one %s: %s", (what, text) => {
    expect(breaks(text)).toContain(what);
  });

  it.each([
    "ALTER TABLE users ADD COLUMN x INT NOT NULL DEFAULT 0, ADD COLUMN y TEXT",
    "ALTER TABLE users ADD x INT DEFAULT 0 NOT NULL",
    "CREATE TABLE changes (number BIGINT NOT NULL); CREATE INDEX a ON changes (number)",
    "DROP TRIGGER IF EXISTS a ON users; CREATE TRIGGER a AFTER UPDATE ON users EXECUTE FUNCTION b()",
  ])("may say: %s", (text) => {
    expect(breaks(text)).toEqual([]);
  });

  it("only add", () => {
    expect(later.length).toBeGreaterThan(0);
    const found = later.map((path) => [path, breaks(readFileSync(STORAGE + path, "utf8"))]);
    expect(found.filter(([, what]) => what?.length !== 0)).toEqual([]);
  });
});
