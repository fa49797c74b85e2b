import { readFileSync, writeFileSync } from "node:fs";
import { findVendor } from "@tollgate/vendors/vendors";
import { expect, it } from "vitest";
import { findSourceType, type SourceType } from "./channel-types";

const FILE = new URL("../../docs/reference/imports.md", import.meta.url);
const LAST = 63;

const here = (type: SourceType | undefined): string => {
  if (!type) return "";
  if (type.type === undefined) return `${type.name} → none`;
  const form = type.addressIs === "whole" ? ", whole address" : "";
  const address = type.type === 8 && type.address !== undefined ? `, \`${type.address}\`` : form;
  return `${type.name} → ${type.type} ${findVendor(type.type)?.name}${address}`;
};

const table = (): string => {
  const rows = Array.from({ length: LAST }, (_, index) => index + 1).map((number) => {
    const oneApi = here(findSourceType("one-api-0.6", number));
    const newApi = here(findSourceType("new-api", number));
    return `| ${number} | ${oneApi} | ${oneApi === newApi ? "the same" : newApi} |`;
  });
  return ["| n | one-api | new-api |", "|---|---|---|", ...rows].join("\n");
};

it("docs/reference/imports.md has every channel type of the sources", () => {
  const text = readFileSync(FILE, "utf8");
  const written = text.replace(/(<!-- types:[^\n]*-->\n)[\s\S]*?(<!-- end -->)/, `$1\n${table()}\n\n$2`);
  if (process.env.UPDATE_DOCS) writeFileSync(FILE, written);
  expect(readFileSync(FILE, "utf8")).toBe(written);
});
