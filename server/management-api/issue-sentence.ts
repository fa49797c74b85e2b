import type { core } from "zod/mini";
import type { Catalogue, MessageKey } from "../locales/catalogue";
import { fillText } from "../locales/fill-text";
import { inEachLanguage } from "../locales/languages";

/** Describes an invalid field: usual mistakes in forms in our words, the rest in the schema library's. */
const sentenceFor =
  ({ messages, schemaIssue }: Catalogue): core.$ZodErrorMap =>
  (issue) => {
    const withLimit = (key: MessageKey, limit: unknown): string =>
      fillText(messages[key], { limit: String(limit) });
    if (issue.code === "invalid_type" && issue.expected === "int") return messages["field-not-whole"];
    if (issue.code === "too_small" && issue.origin !== "string") {
      const isAbove = issue.inclusive === false;
      return withLimit(isAbove ? "field-not-above" : "field-too-small", issue.minimum);
    }
    if (issue.code === "too_big")
      return withLimit(issue.origin === "string" ? "field-too-long" : "field-too-big", issue.maximum);
    return schemaIssue(issue);
  };

/** For zod's `error` parameter, per reader's language. */
export const issueSentence = inEachLanguage(sentenceFor);
