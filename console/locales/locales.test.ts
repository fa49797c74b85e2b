import { expect, it } from "vitest";

type Texts = Record<string, unknown>;

const files = import.meta.glob<Texts>("./*/*.json", { import: "default", eager: true });

const leaves = (tree: object, prefix = ""): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[prefix + key, value] as [string, string]]
      : leaves(value, `${prefix}${key}.`),
  );

const textsOf = (language: string): Map<string, string> => {
  const areas = Object.entries(files).filter(([path]) => path.startsWith(`./${language}/`));
  const all = areas.flatMap(([path, texts]) =>
    leaves(texts).map(([key, text]): [string, string] => [`${path.split("/").at(-1)} ${key}`, text]),
  );
  return new Map(all);
};

const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? "").sort();

const chinese = textsOf("zh-CN");
const english = textsOf("en");

it("has the same files and keys in every language", () => {
  expect(chinese.size).toBeGreaterThan(300);
  expect([...english.keys()]).toEqual([...chinese.keys()]);
});

it("fills the same placeholders in every language", () => {
  for (const [key, text] of chinese)
    expect([key, placeholders(english.get(key) ?? "")]).toEqual([key, placeholders(text)]);
});

it("says each thing in one area only: a later one would silently replace an earlier one", () => {
  const owners = new Map<string, string>();
  for (const key of chinese.keys()) {
    const [file = "", name = ""] = key.split(" ");
    const group = name.split(".")[0] ?? "";
    expect([group, owners.get(group) ?? file]).toEqual([group, file]);
    owners.set(group, file);
  }
});
