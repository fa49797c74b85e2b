import { describe, expect, it } from "vitest";
import { runCommandLine } from "./program";

const run = async (...words: string[]) => {
  let out = "";
  let error = "";
  const status = await runCommandLine(
    words,
    { DATA_DIR: "/nonexistent/tollgate" },
    {
      out: (text) => {
        out += text;
      },
      error: (text) => {
        error += text;
      },
    },
  );
  return { status, out, error };
};

describe("the command line", () => {
  it.each([
    ["nothing at all", [], /Usage: tollgate/],
    ["a command that there is not", ["nonsense"], /unknown command 'nonsense'/],
    ["an option that there is not", ["doctor", "--deep"], /unknown option '--deep'/],
    ["an argument too many", ["backup", "a", "b"], /too many arguments/],
    ["no argument where one must be", ["restore"], /missing required argument 'file'/],
    ["a number that is none", ["key", "enable", "--user", "a", "1.5"], /whole number, from 0 on/],
    ["a number that begins lower than numbers do", ["channel", "test", "0"], /Numbers begin at 1/],
    ["an amount below nothing", ["user", "set", "a", "--quota=-1"], /whole number, from 0 on/],
    [
      "a moment that is none",
      ["key", "add", "--user", "a", "--name", "b", "--expires", "soon"],
      /moment like/,
    ],
  ])("ends with 2 and names the fault of %s", async (_, words, text) => {
    const { status, error } = await run(...words);
    expect(error).toMatch(text);
    expect(status).toBe(2);
  });

  it.each([
    ["help", ["--help"]],
    ["help of a command", ["user", "--help"]],
    ["the version", ["--version"]],
  ])("exits with status 0 for %s", async (_, words) => {
    const { status, out } = await run(...words);
    expect(out).not.toBe("");
    expect(status).toBe(0);
  });

  it("ends with 1 and a sentence where a command fails, for programs as JSON", async () => {
    const sentence = "There is no data in /nonexistent/tollgate: name the folder with DATA_DIR.";
    const { status, out, error } = await run("--json", "user", "list");
    expect({ status, error }).toEqual({ status: 1, error: `${sentence}\n` });
    expect(JSON.parse(out)).toEqual({ error: sentence });
  });
});
