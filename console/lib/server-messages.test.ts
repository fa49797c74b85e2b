import { expect, it } from "vitest";

/** The console's code and its answer readers, by path. */
const sources = Object.entries(
  import.meta.glob<string>(["../**/*.{ts,tsx}", "../../contract/api/*.ts", "!../**/*.test.{ts,tsx}"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);

/** Messages of the browser, not of a server. */
const BROWSER_MESSAGES = "./missing-code.ts";

/** Texts that a message is compared with, by operator or by case. */
const comparedWith = (source: string): string[] =>
  [...source.matchAll(/(?<!typeof [\w.?]*)\bmessage\b\??\s*[!=]==?\s*("[^"]*"|[^\s;)&|?]+)/g)].map(
    ([, text = ""]) => text,
  );

/** Other ways to branch on a message. */
const LOOKS_INTO =
  /\bmessage\b\??[.](?:includes|startsWith|endsWith|match|search|indexOf)|[.]test\([^)]*\bmessage\b|switch\s*\([^)]*\bmessage\b/;

it("branches on no message of a server but bind; an empty one counts as none", () => {
  expect(sources.length).toBeGreaterThan(150);
  const texts = sources.flatMap(([, source]) => comparedWith(source));
  expect([...new Set(texts)].sort()).toEqual(['""', '"bind"']);
  const looking = sources.filter(([, source]) => LOOKS_INTO.test(source)).map(([path]) => path);
  expect(looking).toEqual([BROWSER_MESSAGES]);
});

it("would find a branch, however it is written", () => {
  expect(comparedWith('if (answer.message === "record not found") x()')).toEqual(['"record not found"']);
  for (const line of [
    'message.includes("x")',
    "error.message?.startsWith(y)",
    "/x/.test(error.message)",
    "switch (answer.message) {",
  ]) {
    expect(line).toMatch(LOOKS_INTO);
  }
});
