import * as z from "zod/mini";
import type { ErrorRewrite, UpstreamSaying } from "../relay/error";
import { tryParseJson } from "../values/parse-json";

/* The option ErrorRules: what clients read of upstreams' errors (docs/guides/error-rules.md). */

/** Rules in total; each error is compared with them in turn. */
export const MAX_ERROR_RULES = 100;
/** Channels, types, statuses or words of one rule. */
export const MAX_RULE_ITEMS = 20;
/** Of one of the words, in UTF-16 units. */
export const MAX_RULE_WORD = 200;
/** Of a text for clients, in UTF-16 units. */
export const MAX_RULE_TEXT = 500;
const MAX_RULE_CODE = 64;

/** Every status of a class: "4xx" and "5xx". */
export const STATUS_CLASSES = ["4xx", "5xx"] as const;
type StatusClass = (typeof STATUS_CLASSES)[number];

/** Answers of a rule: its own text, or the upstream's own status and words. */
export const RULE_ANSWERS = ["own", "original"] as const;
export type RuleAnswer = (typeof RULE_ANSWERS)[number];

/** An empty list holds for all. */
export interface ErrorRule {
  /** Ids of channels. */
  readonly channels: readonly number[];
  /** Types of channels. */
  readonly types: readonly number[];
  /** HTTP statuses of the upstream. */
  readonly statuses: readonly (number | StatusClass)[];
  /** Parts of the upstream's code and message, regardless of case; one of them suffices. */
  readonly words: readonly string[];
  readonly answer: RuleAnswer;
  /** HTTP status for the client, always an error; undefined for the one without a rule. */
  readonly status: number | undefined;
  /** Machine readable code for the client; undefined for a neutral one. */
  readonly code: string | undefined;
  /** Texts by language; one at least where the answer is its own. */
  readonly text: Readonly<Record<string, string>>;
}

/** A rule with its words in lower case. */
export interface PreparedErrorRule extends ErrorRule {
  readonly lowerWords: readonly string[];
}

export interface ErrorRuleFault {
  /** Path of the wrong part; "" for the whole. */
  fault: string;
}

const listOf = <Item extends z.core.SomeType>(item: Item) =>
  z.optional(z.array(item).check(z.maxLength(MAX_RULE_ITEMS)));

/** Line breaks are the only invisible characters that an error may have. */
const isVisible = (text: string): boolean => !/[^\P{Cc}\n]/u.test(text);

const errorStatus = z.int().check(z.minimum(400), z.maximum(599));

/** Made when the option is read: other pages do not need it. */
const ruleSchema = () =>
  z
    .strictObject({
      channels: listOf(z.int().check(z.positive())),
      types: listOf(z.int().check(z.positive())),
      statuses: listOf(z.union([z.int().check(z.minimum(200), z.maximum(599)), z.enum(STATUS_CLASSES)])),
      words: listOf(
        z.string().check(
          z.maxLength(MAX_RULE_WORD),
          z.refine((word) => word.trim() !== ""),
        ),
      ),
      answer: z.enum(RULE_ANSWERS),
      status: z.optional(errorStatus),
      code: z.optional(z.string().check(z.maxLength(MAX_RULE_CODE), z.regex(/^[A-Za-z0-9_.-]+$/))),
      text: z.optional(
        z.record(
          z.string().check(z.regex(/^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/)),
          z.string().check(
            z.maxLength(MAX_RULE_TEXT),
            z.refine((text) => text.trim() !== "" && isVisible(text)),
          ),
        ),
      ),
    })
    .check(
      z.refine(({ answer, text = {} }) => answer === "original" || Object.keys(text).length > 0, {
        path: ["text"],
      }),
    );

/**
 * Reads the JSON text of the option ErrorRules, a list whose order decides.
 * @returns where the text is wrong when it cannot be used: `1.status` for the first rule's status.
 */
export const parseErrorRules = (text: string): readonly PreparedErrorRule[] | ErrorRuleFault => {
  const parsed = tryParseJson(text);
  if (!Array.isArray(parsed)) return { fault: "JSON" };
  if (parsed.length > MAX_ERROR_RULES) return { fault: String(MAX_ERROR_RULES + 1) };
  const schema = ruleSchema();
  const rules: PreparedErrorRule[] = [];
  for (const [index, value] of parsed.entries()) {
    const read = schema.safeParse(value);
    if (!read.success) {
      const [issue] = read.error.issues;
      const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
      return { fault: [index + 1, ...(issue?.path ?? []), ...unknown].join(".") };
    }
    const { channels = [], types = [], statuses = [], words = [], answer, status, code, text } = read.data;
    const lowerWords = words.map((word) => word.trim().toLowerCase());
    rules.push({ channels, types, statuses, words, lowerWords, answer, status, code, text: text ?? {} });
  }
  return rules;
};

const fits = <Item>(list: readonly Item[], ...items: readonly Item[]): boolean =>
  list.length === 0 || items.some((item) => list.includes(item));

/** The class of a status; none for a success with an error inside, or without an answer. */
const classOf = (status: number): readonly StatusClass[] =>
  status >= 500 ? ["5xx"] : status >= 400 ? ["4xx"] : [];

/** The index of the first rule for an upstream's error; -1 for none. */
export const findErrorRule = (rules: readonly PreparedErrorRule[], said: UpstreamSaying): number => {
  const { channelId, channelType, status } = said;
  // The relay has cut both to some thousand characters at most.
  const words = `${said.code} ${said.message}`.toLowerCase();
  return rules.findIndex(
    (rule) =>
      fits(rule.channels, channelId) &&
      fits(rule.types, channelType) &&
      fits(rule.statuses, status, ...classOf(status)) &&
      (rule.lowerWords.length === 0 || rule.lowerWords.some((word) => words.includes(word))),
  );
};

/** What a rule makes of an error. */
export const rewriteOf = ({ answer, status, code, text }: ErrorRule): ErrorRewrite => ({
  ...(answer === "original" ? { isOriginal: true } : { text }),
  ...(status === undefined ? {} : { status }),
  ...(code === undefined ? {} : { code }),
});

/**
 * The text of a rule for a reader: in their language, else in another script of it, else in English, else the first.
 * @param language a tag such as `zh-TW`.
 */
export const textFor = (text: Readonly<Record<string, string>>, language: string): string | undefined => {
  const own = text[language];
  if (own !== undefined) return own;
  const [primary = ""] = language.split("-");
  const related = Object.keys(text).find((tag) => tag === primary || tag.startsWith(`${primary}-`));
  return related === undefined ? (text.en ?? Object.values(text)[0]) : text[related];
};

/** Statuses that would tell a client that its own key is wrong. */
const KEY_STATUSES: ReadonlySet<number> = new Set([401, 407]);

/** Status of the upstream that a client may be given as it is; undefined for any other. */
export const passableStatus = (status: number): number | undefined =>
  status >= 400 && status <= 599 && !KEY_STATUSES.has(status) ? status : undefined;
