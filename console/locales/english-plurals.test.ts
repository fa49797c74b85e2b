import { expect, it } from "vitest";

/*
 * A text of a number must fit 1 as well: "Rows: 1", not "1 rows". The console does not use the plurals of i18next, whose
 * keys each language would need.
 */

const files = import.meta.glob<object>("./en/*.json", { import: "default", eager: true });

const leaves = (tree: object, path: string): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[`${path}.${key}`, value] as [string, string]]
      : leaves(value, `${path}.${key}`),
  );

/** Placeholders of names, positions and money. */
const NO_COUNTS = "currency|model|name|number|output|plan|price|quota|rate|revenue|row|taken|user";

/** Placeholders of the console's own limits and spans, all above 1. */
const FIXED = "days|limit|max|most|seconds";

/** A number, up to one word, and a plural noun. */
const COUNTED = new RegExp(
  `\\{\\{(?!(?:${NO_COUNTS}|${FIXED})\\}\\})\\w+\\}\\} (?:(?!of |per |account )[a-z]+ )?(?!(?:is|was|has|as)\\b)[a-z]*[a-rt-z]s\\b`,
);

/** Texts that are never shown with 1. */
const ABOVE_ONE: readonly RegExp[] = [
  // 1 has its own text, plan.one or plan.single.
  /^plan\.many\./,
  // The console's own limits and spans.
  /^(?:keyPage\.use|views\.tooMany)$/,
  // Points of a dollar, and prompts that are long.
  /^(?:order\.quotedTerms|price\.above|statement\.rate)$/,
];

const isWrong = ([key, text]: [string, string]): boolean =>
  COUNTED.test(text) && !ABOVE_ONE.some((each) => each.test(key));

const texts = Object.values(files).flatMap((areas) =>
  leaves(areas, "").map(([key, text]): [string, string] => [key.slice(1), text]),
);

it("counts nothing with a plural noun behind the number in English", () => {
  expect(texts.length).toBeGreaterThan(2000);
  expect(texts.filter(isWrong)).toEqual([]);
});

it.each([
  "{{count}} rows",
  "Only the {{count}} loaded rows",
  "{{done}} of {{total}} channels",
  "{{count}} days ago",
])("would find %j", (text) => expect(isWrong(["a.b", text])).toBe(true));

it.each(["Rows: {{count}}", "{{count}} failed", "{{model}} has answered", "{{rate}} of requests"])(
  "accepts %j",
  (text) => expect(isWrong(["a.b", text])).toBe(false),
);
