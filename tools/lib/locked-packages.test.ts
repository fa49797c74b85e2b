import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { listRepinned } from "./locked-packages.mjs";

const PINO = { version: "9.0.0", integrity: "sha512-a" };
const FOR_DARWIN = { version: "1.0.0", integrity: "sha512-b", optional: true };

const compare = (before: object, after: object): string[] =>
  listRepinned(
    { packages: { "node_modules/pino": PINO, ...before } },
    { packages: { "node_modules/pino": PINO, ...after } },
  );

it("finds a package that another lock pins to another version or content, gains or loses", () => {
  expect(compare({}, { "node_modules/pino": { ...PINO, version: "9.0.1" } })).toEqual(["node_modules/pino"]);
  expect(compare({}, { "node_modules/pino": { ...PINO, integrity: "sha512-x" } })).toEqual([
    "node_modules/pino",
  ]);
  expect(compare({}, { "node_modules/new": PINO })).toEqual(["node_modules/new"]);
  expect(compare({ "node_modules/gone": PINO }, {})).toEqual(["node_modules/gone"]);
});

it("takes locks that name other platforms, or say more of a package, for the same", () => {
  expect(compare({}, { "node_modules/native-darwin": FOR_DARWIN })).toEqual([]);
  expect(compare({ "node_modules/native-darwin": FOR_DARWIN }, {})).toEqual([]);
  expect(compare({}, { "node_modules/pino": { ...PINO, dev: true, libc: ["musl"] } })).toEqual([]);
});

it("names the packages of every platform in the project's own lock", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, object>;
  };
  for (const platform of ["darwin-arm64", "linux-arm64", "linux-x64", "win32-x64"])
    expect(packages).toHaveProperty([`node_modules/@biomejs/cli-${platform}`]);
});
