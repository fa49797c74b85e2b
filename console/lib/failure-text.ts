import i18next from "i18next";
import { HttpError, RefusedError, UnreadableError } from "./api-client";
import { isCodeMissing } from "./missing-code";

const httpText = (status: number): string => {
  switch (status) {
    case 429:
      return i18next.t("error.tooMany");
    case 500:
      return i18next.t("error.internal");
    case 405:
      return i18next.t("error.demo");
    default:
      return i18next.t("error.status", { status });
  }
};

/**
 * Reason of a failure for the user: the server's text, else the console's own. Messages meant for code (such as an
 * UnreadableError's) are never shown.
 */
export const failureText = (error: Error): string => {
  if (isCodeMissing(error)) return i18next.t("page.codeMissing");
  if (error instanceof UnreadableError) return i18next.t("error.unreadable");
  if (error.message !== "") return error.message;
  if (error instanceof RefusedError) return i18next.t("error.refused");
  return error instanceof HttpError ? httpText(error.status) : error.name;
};
