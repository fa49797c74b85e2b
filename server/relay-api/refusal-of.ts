import { refusalOfError } from "@tollgate/relay/pipeline/refusal-of-error";
import type { Refusal } from "@tollgate/relay/ports/client";
import { BodyRefused } from "./read-json";

/** Maximum length of a parser's message in an error. */
const REASON_CHARACTERS = 200;

/** The fault of an unreadable request; undefined when the gateway itself is at fault. */
export const refusalOf = (error: unknown): Refusal | undefined => {
  if (error instanceof BodyRefused) return error.refusal;
  const refusal = refusalOfError(error);
  if (refusal) return refusal;
  return error instanceof SyntaxError
    ? { code: "body-not-json", params: { reason: error.message.slice(0, REASON_CHARACTERS) } }
    : undefined;
};
