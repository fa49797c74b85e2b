import type { ClientError } from "@tollgate/contract/relay/error";
import type { Refusal } from "../ports/client";

/**
 * Headers of a refusal: the client's standing with its limits, and the seconds after which a retry makes sense
 * (https://www.rfc-editor.org/rfc/rfc9110#name-retry-after).
 * @param error the described refusal.
 */
export const refusalHeaders = (
  { headers }: Refusal,
  { retryAfterSeconds }: ClientError,
): Readonly<Record<string, string>> =>
  retryAfterSeconds === undefined ? { ...headers } : { ...headers, "retry-after": String(retryAfterSeconds) };
