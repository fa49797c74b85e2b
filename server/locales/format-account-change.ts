import { fillText } from "./fill-text";
import { LANGUAGES, type Language } from "./languages";

/** What changed about an account's sign-in; of a method, that an account of it was bound, or is no longer. */
export type AccountChange =
  | "password"
  | "email"
  | "second-factor-on"
  | "second-factor-off"
  | "backup-codes"
  | "passkey-added"
  | "passkey-removed"
  | { name: string; title: string; isUnbound?: true };

/** Describes a change of an account, for a mail. */
export const formatAccountChange = (language: Language, what: AccountChange): string => {
  const changes: Readonly<Record<string, string>> = LANGUAGES[language].accountChanges;
  if (typeof what === "string") return changes[what] ?? "";
  const kind = what.isUnbound ? "identity-unbound" : "identity";
  const own = changes[`${kind}-${what.name}`];
  return own ?? fillText(LANGUAGES[language].accountChanges[kind], { method: what.title });
};
