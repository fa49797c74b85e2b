import { describe, expect, it } from "vitest";
import { LANGUAGE_KEYS } from "../lib/languages";

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

/** Vendor names whose translation differs from the vendors' files (features/channels/vendor-name.ts). */
const OWN_NAMES = "channels.json vendorName.";

describe.each(LANGUAGE_KEYS)("%s", (language) => {
  const texts = new Map([...textsOf(language)].filter(([key]) => !key.startsWith(OWN_NAMES)));

  it("has the same files and keys as the others", () => {
    expect(chinese.size).toBeGreaterThan(300);
    expect([...texts.keys()].sort()).toEqual([...chinese.keys()].sort());
  });

  it("fills the same placeholders as the others", () => {
    for (const [key, text] of chinese)
      expect([key, placeholders(texts.get(key) ?? "")]).toEqual([key, placeholders(text)]);
  });
});

it("has a folder for each language of the switch, and no other", () => {
  const folders = Object.keys(files).map((path) => path.split("/")[1] ?? "");
  expect([...new Set(folders)].sort()).toEqual([...LANGUAGE_KEYS].sort());
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

it("says a thing of the gateway by one word in traditional Chinese, and by none of the other script's", () => {
  for (const [key, text] of textsOf("zh-TW"))
    expect([key, text.match(/渠道|令牌|密鑰|分組(?!方式)|充值|用戶(?!端)|賬|默認/)?.[0]]).toEqual([
      key,
      undefined,
    ]);
});
