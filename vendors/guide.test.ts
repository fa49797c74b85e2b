import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { Vendor } from "./define-vendor";
import { VENDORS } from "./vendors";

const ROOT = join(import.meta.dirname, "..");
const GUIDE = readFileSync(join(ROOT, "docs/guides/add-a-vendor.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "tollgate-guide-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Code blocks as they stand in the guide, without the indentation of its list. */
const blocks = [...GUIDE.matchAll(/^ *```ts\n([\s\S]*?)^ *```/gm)].map(([, code = ""]) =>
  code.replaceAll(/^ {3}/gm, ""),
);

/** The vendor of the guide's first block, loaded from a file outside of the checkout. */
const loadVendor = async (): Promise<Vendor> => {
  const define = pathToFileURL(join(import.meta.dirname, "define-vendor.ts")).href;
  const path = join(folder, "vendor.ts");
  writeFileSync(path, (blocks[0] ?? "").replace('"./define-vendor"', JSON.stringify(define)));
  const module = (await import(/* @vite-ignore */ path)) as Record<string, Vendor>;
  const [vendor] = Object.values(module);
  if (!vendor) throw new Error("the guide's first block exports no vendor");
  return vendor;
};

describe("the guide for a vendor", () => {
  it("defines a vendor with a type, prices and a name that are free", async () => {
    const vendor = await loadVendor();
    expect(vendor.name.en).not.toBe("");
    expect(VENDORS.map(({ type }) => type)).not.toContain(vendor.type);
    expect(VENDORS.map(({ name }) => name.en)).not.toContain(vendor.name.en);
    expect(vendor.prices?.flatMap(({ models }) => Object.keys(models))).toEqual(vendor.models);
    expect(blocks[1]?.trim()).toBe(`compatible(${vendor.type}, "${vendor.name.en}"),`);
  });
});
