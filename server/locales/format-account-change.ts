import type { SignInMethod } from "@tollgate/contract/sign-in/methods";
import { fillText } from "./fill-text";
import { LANGUAGES, type Language } from "./languages";

/** Describes a change of an account, for a mail; for a sign-in method, that an account of it was bound. */
export const formatAccountChange = (
  language: Language,
  what: "password" | "email" | SignInMethod,
): string => {
  const changes: Readonly<Record<string, string>> = LANGUAGES[language].accountChanges;
  if (typeof what === "string") return changes[what] ?? "";
  const own = changes[`identity-${what.name}`];
  return own ?? fillText(LANGUAGES[language].accountChanges.identity, { method: what.title });
};
