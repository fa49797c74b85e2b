import type { ClientProtocol, RequestAddress } from "@tollgate/contract/relay/protocol";
import { REQUEST_NAMES } from "@tollgate/protocols/shared/request/request-names";
import { readJson, readJsonInSteps } from "./read-json";

/** How to read the body of a chat: its protocol, and the model in its address, if any. */
export interface ChatForm {
  readonly client: Pick<ClientProtocol, "spelling" | "requireOneModel">;
  readonly address: RequestAddress | undefined;
}

/**
 * Reads the body of a chat, as its protocol spells names.
 * @throws SyntaxError when it is no JSON. @throws BodyRefused, RequestInvalid when it can be read in two ways.
 */
export const readChat = (rawBody: Buffer, { client, address }: ChatForm): unknown => {
  const body = readJson(rawBody, REQUEST_NAMES[client.spelling]);
  if (address) client.requireOneModel?.(body, address.model);
  return body;
};

/**
 * The same of a large body.
 * @see readChat
 */
export function* readChatInSteps(
  rawBody: Buffer,
  { client, address }: ChatForm,
): Generator<undefined, unknown> {
  const body = yield* readJsonInSteps(rawBody, REQUEST_NAMES[client.spelling]);
  if (address) client.requireOneModel?.(body, address.model);
  return body;
}
