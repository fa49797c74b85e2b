import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { PRODUCT_VERSION } from "@tollgate/contract/version";

/*
 * The data that each release left, as text: `storage/fixtures/<version>/`. It is written once, by the release itself, and never
 * edited:
 *
 *   UPDATE_RELEASE=1 npx vitest run --project unit storage/releases.test.ts
 *   UPDATE_RELEASE=1 npx vitest run --project postgres storage/postgres/releases.test.ts
 *
 * `UPDATE_RECORDS=1` writes only the answers of queries, for a change of a record's fields in memory.
 */

const FIXTURES = new URL("../fixtures/", import.meta.url);

/** The version that these tests run, and whose data they write. */
export const CURRENT = PRODUCT_VERSION;

export const WRITES_DATA = process.env.UPDATE_RELEASE === "1";
export const WRITES_RECORDS = WRITES_DATA || process.env.UPDATE_RECORDS === "1";

const urlOf = (version: string, name: string): URL => new URL(`${version}/${name}`, FIXTURES);

/** Versions whose data is kept, and the current one while it is written. */
export const RELEASES: readonly string[] = [
  ...new Set([
    ...readdirSync(FIXTURES).filter((name) => /^\d+[.]\d+[.]\d+$/.test(name)),
    ...(WRITES_DATA ? [CURRENT] : []),
  ]),
];

export const readReleaseFile = (version: string, name: string): string =>
  readFileSync(urlOf(version, name), "utf8");

export const hasReleaseFile = (version: string, name: string): boolean => existsSync(urlOf(version, name));

export const writeReleaseFile = (version: string, name: string, text: string): void => {
  mkdirSync(urlOf(version, ""), { recursive: true });
  writeFileSync(urlOf(version, name), text);
};
