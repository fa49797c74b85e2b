import type { ClientApi, ListedModel, TokenCount } from "@tollgate/contract/relay/client-api";
import { notOffered } from "../shared/errors/not-offered";
import { client } from "./client";
import { pageOf } from "./page-of";

/** The release date is not known. */
const describe = ({ id, facts }: ListedModel) => ({
  type: "model",
  id,
  display_name: id,
  created_at: "1970-01-01T00:00:00Z",
  ...(facts?.context === undefined ? {} : { max_input_tokens: facts.context }),
  ...(facts?.outputLimit === undefined ? {} : { max_tokens: facts.outputLimit }),
});

const count: TokenCount = {
  // A limit is needed to answer.
  defaults: { max_tokens: 1 },
  encode: (tokens) => ({ input_tokens: tokens }),
};

/** Endpoints of the vendor's SDKs that are not offered. */
const NOT_OFFERED = [
  "deployment_runs",
  "deployments",
  "dreams",
  "environments",
  "memory_stores",
  "messages/batches",
  "sessions",
  "tunnels",
  "user_profiles",
  "vaults",
];

/** Anthropic's API. Its clients list models at OpenAI's address; their header distinguishes them. */
export const api: ClientApi = {
  protocol: client,
  bases: ["/v1/"],
  aliases: { anthropic: ["/v1"] },
  endpoints: [
    { method: "POST", path: "/v1/messages", asked: { kind: "chat" } },
    { method: "POST", path: "/v1/messages/count_tokens", asked: { kind: "count", count } },
    ...notOffered("/v1", NOT_OFFERED),
  ],
  recognizedBy: { header: "anthropic-version" },
  keyHeader: "x-api-key",
  requestId: { header: "request-id", path: "/v1/messages" },
  models: { describe, encode: (models, query) => pageOf(models.map(describe), query) },
};
