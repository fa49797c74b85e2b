import type { ClientError } from "@tollgate/contract/relay/error";
import { encodeOpenaiError } from "../shared/errors/encode-openai-error";

/**
 * The same error in a stream that has begun. No "[DONE]" follows: the official clients raise on the `error` key, and an
 * end mark would make other clients take the answer for complete.
 */
export const encodeStreamError = (error: ClientError, requestId: string): string =>
  `data: ${JSON.stringify(encodeOpenaiError(error, requestId))}\n\n`;
