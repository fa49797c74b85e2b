import { refusalOfError } from "@tollgate/relay/pipeline/refusal-of-error";
import type { Refusal } from "@tollgate/relay/ports";
import { BodyRefused } from "./read-json";

/** How much of a parser's own words is told. */
const REASON_CHARACTERS = 200;

/** What is wrong with a request that could not be read; undefined when the gateway itself is at fault. */
export const refusalOf = (error: unknown): Refusal | undefined => {
  if (error instanceof BodyRefused) return error.refusal;
  const refusal = refusalOfError(error);
  if (refusal) return refusal;
  return error instanceof SyntaxError
    ? { code: "body-not-json", params: { reason: error.message.slice(0, REASON_CHARACTERS) } }
    : undefined;
};
