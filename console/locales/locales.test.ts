import { expect, it } from "vitest";
import en from "./en.json";
import zhCN from "./zh-CN.json";

const leaves = (tree: object, prefix = ""): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[prefix + key, value] as [string, string]]
      : leaves(value, `${prefix}${key}.`),
  );

const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? "").sort();

it("has the same keys in every language", () => {
  expect(leaves(en).map(([key]) => key)).toEqual(leaves(zhCN).map(([key]) => key));
});

it("fills the same placeholders in every language", () => {
  const english = new Map(leaves(en));
  for (const [key, text] of leaves(zhCN))
    expect([key, placeholders(english.get(key) ?? "")]).toEqual([key, placeholders(text)]);
});
