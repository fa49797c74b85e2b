import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { Refusal } from "@tollgate/relay/ports";
import { BodyRefused } from "./read-json";

/** How much of a parser's own words is told. */
const REASON_CHARACTERS = 200;

/** What is wrong with a request that could not be read; undefined when the gateway itself is at fault. */
export const refusalOf = (error: unknown): Refusal | undefined => {
  if (error instanceof BodyRefused) return error.refusal;
  if (error instanceof RequestInvalid) {
    return {
      code: "request-invalid",
      params: { reason: error.message },
      ...(error.param === undefined ? {} : { field: error.param }),
      ...(error.code === undefined ? {} : { wireCode: error.code }),
    };
  }
  return error instanceof SyntaxError
    ? { code: "body-not-json", params: { reason: error.message.slice(0, REASON_CHARACTERS) } }
    : undefined;
};
