import type { NoticeEventName, NoticePhase } from "@tollgate/contract/notices/notice-events";
import { type AmountScale, amountText } from "@tollgate/contract/values/shown-amount";
import { withSymbol } from "@tollgate/contract/values/shown-currency";
import { z } from "zod/mini";
import { budgetWordSchema } from "./budget-word";
import { escapeHtml } from "./escape-html";
import { fillText } from "./fill-text";
import { formatReason } from "./format-log";
import { LANGUAGES, type Language, PEOPLES_LANGUAGE } from "./languages";
import type { MailTemplate } from "./mail-templates";

/** Values for a text: amounts, names that people chose, and the gateway's reasons. */
export type NoticeParams = Readonly<Record<string, unknown>>;

/** Longer than any name; the words of an upstream may be anything. */
const MAX_VALUE = 200;

/** Line breaks would imitate our own lines; invisible characters would hide or reorder later text. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\s]+/gu;

/** A value as it may stand in a text: on one line, and not endless. */
const cleanValue = (value: string): string => {
  const characters = [...value.replace(UNSEEN, " ").trim()];
  return characters.length <= MAX_VALUE ? characters.join("") : `${characters.slice(0, MAX_VALUE).join("")}…`;
};

const reasonSchema = z.object({
  code: z.enum(["response-too-slow", "balance-used-up"]),
  params: z.catch(z.record(z.string(), z.string()), {}),
});

const formatValue = (language: Language, value: unknown): string => {
  if (typeof value === "string" || typeof value === "number") return cleanValue(String(value));
  if (Array.isArray(value)) return cleanValue(value.map(String).join(", ") || "–");
  const word = budgetWordSchema.safeParse(value);
  if (word.success)
    return cleanValue(fillText(LANGUAGES[language].budgetWords[word.data.word], word.data.params));
  const reason = reasonSchema.safeParse(value);
  return reason.success ? cleanValue(formatReason(language, reason.data)) : "";
};

/** Values that are quota, and not counts or amounts in another unit. */
const QUOTA_PARAMS: ReadonlySet<string> = new Set([
  "quota",
  "taken",
  "missing",
  "given",
  "revenue",
  "cost",
  "budget",
]);

/**
 * The text of a notice in one language: plain text.
 * @param scale of the currency in which quota is written; undefined for points.
 */
export const formatNotice = (
  language: Language,
  event: NoticeEventName | "test",
  phase: NoticePhase,
  params: NoticeParams,
  scale?: AmountScale,
): { title: string; text: string } => {
  const { notices } = LANGUAGES[language];
  const over = `${event}-over`;
  const isOver = (key: string): key is keyof typeof notices => Object.hasOwn(notices, key);
  const { title, text } = notices[phase === "recovered" && isOver(over) ? over : event];
  const values = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      scale !== undefined && typeof value === "number" && QUOTA_PARAMS.has(name)
        ? withSymbol(amountText(value, scale), scale.shown)
        : formatValue(language, value),
    ]),
  );
  return { title: fillText(title, values), text: fillText(text, values) };
};

/** The same as a mail. */
export const noticeMail = (title: string, text: string, link: string): MailTemplate => {
  const address = escapeHtml(link);
  return {
    subject: title,
    html: `<p>${escapeHtml(text)}</p>${link === "" ? "" : `<p><a href="${address}">${address}</a></p>`}`,
  };
};

const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag);

/** The language of the reader; the first language where the reader's is not offered. */
export const noticeLanguage = (tag: string): Language => (isLanguage(tag) ? tag : PEOPLES_LANGUAGE);
