import type { ClientError } from "@tollgate/contract/relay/error";
import type { Refusal } from "../ports";

/**
 * What the head of an answer tells of a refusal: where the client stands with its limits, and after how many seconds
 * another try makes sense (https://www.rfc-editor.org/rfc/rfc9110#name-retry-after).
 * @param error what the refusal was described as.
 */
export const refusalHeaders = (
  { headers }: Refusal,
  { retryAfterSeconds }: ClientError,
): Readonly<Record<string, string>> =>
  retryAfterSeconds === undefined ? { ...headers } : { ...headers, "retry-after": String(retryAfterSeconds) };
