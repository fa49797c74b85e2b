import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./lib/root.mjs";

/** Rooms that call or serve /api: its paths are declared in contract/api alone. */
const CALLERS = ["cli", "console", "demo", "server"];

/** Files that speak of other gateways' calls. */
const OTHERS = ["cli/import/", "server/prices/fetch-prices.ts"];

/** The prefix of all calls is no path. */
const PATH = /["'`]\/api\/(?!["'`])[^\n]*/g;

const pathsOf = (file: string): string[] =>
  [...readFileSync(join(ROOT, file), "utf8").matchAll(PATH)].map(([text]) => `${file} ${text}`);

const sources = CALLERS.flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" })
    .map((path) => `${room}/${path.replaceAll("\\", "/")}`)
    .filter(
      (path) =>
        /\.tsx?$/.test(path) &&
        !/\.test\.|\/(node_modules|testing|dist)\//.test(path) &&
        !OTHERS.some((other) => path.startsWith(other)),
    ),
);

it("calls of /api name an endpoint, never its path", () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.flatMap(pathsOf)).toEqual([]);
});

/** A resource is named by the declaration of a call that reads or changes it, so that a new name reaches every page. */
const LITERAL_RESOURCE = /invalidateQueries\([{] queryKey: \["[^\n]*/g;

it("stale answers are named by a declaration, never by a literal", () => {
  const found = sources.flatMap(
    (file) =>
      readFileSync(join(ROOT, file), "utf8")
        .match(LITERAL_RESOURCE)
        ?.map((text) => `${file} ${text}`) ?? [],
  );
  expect(found).toEqual([]);
  expect('client.invalidateQueries({ queryKey: ["logs"] });'.match(LITERAL_RESOURCE)).not.toBeNull();
});

it("would be told of one", () => {
  expect('callApi("GET", "/api/token/")'.match(PATH)).not.toBeNull();
  expect("await api.call({ path: `/api/user/` })".match(PATH)).not.toBeNull();
});
