import { en, zhCN } from "zod/locales";
import type { core } from "zod/mini";
import type { Language } from "../http/language";
import { say } from "../messages";

const LIBRARY = { zh: zhCN().localeError, en: en().localeError } as const;

/** What is wrong with a field: what people get wrong in forms in our words, the rest in the schema library's. */
const sentenceFor =
  (language: Language): core.$ZodErrorMap =>
  (issue) => {
    if (issue.code === "invalid_type" && issue.expected === "int") return say(language, "field-not-whole");
    if (issue.code === "too_small" && issue.origin !== "string") {
      const isAbove = issue.inclusive === false;
      return say(language, isAbove ? "field-not-above" : "field-too-small", { limit: String(issue.minimum) });
    }
    if (issue.code === "too_big")
      return say(language, issue.origin === "string" ? "field-too-long" : "field-too-big", {
        limit: String(issue.maximum),
      });
    return LIBRARY[language](issue);
  };

/** For zod's `error` parameter, per reader's language. */
export const issueSentence: Readonly<Record<Language, core.$ZodErrorMap>> = {
  zh: sentenceFor("zh"),
  en: sentenceFor("en"),
};
