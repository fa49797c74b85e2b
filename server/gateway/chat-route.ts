import type { ClientProtocol, RequestAddress } from "@tollgate/contract/relay/protocol";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { decodeSegment } from "./decode-segment";

/** What a POST to one of the chat protocols asks for. */
export interface ChatRoute {
  client: ClientProtocol;
  /** Given where the address names the model. */
  address?: RequestAddress;
  /** Only the tokens of the request are to be counted. */
  isCount?: boolean;
  /** A stream goes out as one growing JSON array instead of server-sent events. */
  isArray?: boolean;
}

const ROUTES: Readonly<Record<string, ChatRoute>> = {
  "/v1/chat/completions": { client: CLIENT_PROTOCOLS["openai-chat"] },
  "/v1/responses": { client: CLIENT_PROTOCOLS["openai-responses"] },
  "/v1/responses/input_tokens": { client: CLIENT_PROTOCOLS["openai-responses"], isCount: true },
  "/v1/messages": { client: CLIENT_PROTOCOLS["anthropic-messages"] },
  "/v1/messages/count_tokens": { client: CLIENT_PROTOCOLS["anthropic-messages"], isCount: true },
};

/** A model's name may hold colons and slashes itself; the method stands behind the last colon. */
const GEMINI = /^\/v1(?:beta)?\/(?:models|tunedModels)\/(.+):(\w+)$/;

/**
 * The chat protocol behind a path, and what it asks for.
 * @param query what follows the "?" of the address.
 * @returns undefined for every other path.
 */
export const findChatRoute = (path: string, query: string): ChatRoute | undefined =>
  ROUTES[path] ?? findGeminiRoute(path, query);

const findGeminiRoute = (path: string, query: string): ChatRoute | undefined => {
  const [, name = "", method] = GEMINI.exec(path) ?? [];
  const client = CLIENT_PROTOCOLS["gemini-generate"];
  const model = decodeSegment(name);
  switch (method) {
    case "generateContent":
      return { client, address: { model, isStream: false } };
    case "streamGenerateContent":
      return {
        client,
        address: { model, isStream: true },
        isArray: new URLSearchParams(query).get("alt") !== "sse",
      };
    case "countTokens":
      return { client, address: { model, isStream: false }, isCount: true };
    default:
      return undefined;
  }
};
