import { VENDOR_CARDS } from "@tollgate/vendors/slim/cards";
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

/** Names of vendors in other letters than those of the vendors' files (features/channels/vendor-name.ts). */
const OWN_NAMES = "channels.json vendorName.";

/** The texts that every language has. */
const commonTextsOf = (language: string): Map<string, string> =>
  new Map([...textsOf(language)].filter(([key]) => !key.startsWith(OWN_NAMES)));

const chinese = commonTextsOf("zh-CN");

describe.each(LANGUAGE_KEYS)("%s", (language) => {
  const texts = commonTextsOf(language);

  it("has the same files and keys as the others", () => {
    expect(chinese.size).toBeGreaterThan(300);
    expect([...texts.keys()].sort()).toEqual([...chinese.keys()].sort());
  });

  it("fills the same placeholders as the others", () => {
    for (const [key, text] of chinese)
      expect([key, placeholders(texts.get(key) ?? "")]).toEqual([key, placeholders(text)]);
  });
});

it("names the same vendors in both Chinese scripts", () => {
  const namedIn = (language: string) =>
    [...textsOf(language).keys()].filter((key) => key.startsWith(OWN_NAMES));
  expect(namedIn("zh-CN").length).toBeGreaterThan(15);
  expect(namedIn("zh-TW").sort()).toEqual(namedIn("zh-CN").sort());
  const types = new Set(VENDOR_CARDS.map(({ type }) => `${OWN_NAMES}${type}`));
  expect(namedIn("zh-CN").filter((key) => !types.has(key))).toEqual([]);
  const prefixed = VENDOR_CARDS.filter(({ name }) => name.includes(": ")).map(({ type }) => OWN_NAMES + type);
  expect(prefixed.filter((key) => !namedIn("zh-CN").includes(key))).toEqual([]);
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
