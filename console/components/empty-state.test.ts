import { describe, expect, it } from "vitest";
import { LANGUAGE_KEYS } from "../lib/languages";

/* Types demand a text or controls of each empty state. This holds that the text is not empty in any language. */

type Tree = { readonly [key: string]: string | Tree };

const files = import.meta.glob<Tree>("../locales/*/*.json", { import: "default", eager: true });
const sources = import.meta.glob<string>(["../**/*.tsx", "!../**/*.test.tsx"], {
  query: "?raw",
  import: "default",
  eager: true,
});

const textOf = (language: string, key: string): string => {
  const trees = Object.entries(files).filter(([path]) => path.includes(`/${language}/`));
  const found = trees.map(([, tree]) =>
    key
      .split(".")
      .reduce<Tree | string | undefined>((at, name) => (typeof at === "object" ? at[name] : undefined), tree),
  );
  return found.find((text) => typeof text === "string") ?? "";
};

/** Every empty state of the sources: its attributes without the icon, and whether controls follow. */
const states = Object.entries(sources).flatMap(([path, source]) =>
  [...source.replace(/icon=\{[^}]*\}/g, "").matchAll(/<EmptyState\b((?:[^>]|=>)*?)(\/?)>/g)].map(
    ([, attributes = "", end]) => ({
      where: `${path}: ${/title=\{.*\}/.exec(attributes)?.[0]}`,
      text: /\btext=(.*)$/s.exec(attributes)?.[1]?.trim(),
      hasControls: end === "",
    }),
  ),
);

describe("an empty state", () => {
  it.each(states)("names the next step: $where", ({ text, hasControls }) => {
    if (text === undefined) expect(hasControls).toBe(true);
    else expect(text).not.toBe('""');
    const keys = [...(text ?? "").matchAll(/"(\w+(?:\.\w+)+)"/g)].map(([, key = ""]) => key);
    for (const key of keys)
      for (const language of LANGUAGE_KEYS)
        expect([key, language, textOf(language, key).trim()]).not.toEqual([key, language, ""]);
  });

  it("is found in the sources", () => {
    expect(states.length).toBeGreaterThan(30);
  });
});
