import type { ClientApi, TokenCount } from "@tollgate/contract/relay/client-api";
import { client } from "./client";

const count: TokenCount = {
  encode: (tokens) => ({ object: "response.input_tokens", input_tokens: tokens }),
};

const NOT_STORED = { kind: "refusal", code: "responses-not-stored" } as const;

/** OpenAI's Responses. Endpoints for stored answers are refused. */
export const api: ClientApi = {
  protocol: client,
  bases: ["/v1/"],
  endpoints: [
    { method: "POST", path: "/v1/responses", asked: { kind: "chat" } },
    { method: "POST", path: "/v1/responses/input_tokens", asked: { kind: "count", count } },
    { method: "any", path: "/v1/responses/compact", asked: { kind: "refusal", code: "not-implemented" } },
    { method: "any", path: "/v1/responses", asked: NOT_STORED },
    { method: "any", path: "/v1/responses/*", asked: NOT_STORED },
    { method: "any", path: "/v1/conversations", asked: NOT_STORED },
    { method: "any", path: "/v1/conversations/*", asked: NOT_STORED },
  ],
};
