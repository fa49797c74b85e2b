import type { ClientApi, Endpoint, ListedModel, PathParts } from "@tollgate/contract/relay/client-api";
import { NOT_IMPLEMENTED, notOffered } from "../shared/errors/not-offered";
import { decodeSegment } from "../shared/request/decode-segment";
import { client } from "./client";
import { describeFacts } from "./describe-facts";

const PERMISSION = {
  id: "modelperm-LwHkVFn8AcMItP432fKKDIKJ",
  object: "model_permission",
  created: 1_626_777_600,
  allow_create_engine: true,
  allow_sampling: true,
  allow_logprobs: true,
  allow_search_indices: false,
  allow_view: true,
  allow_fine_tuning: false,
  organization: "*",
  group: null,
  is_blocking: false,
};

const CREATED = 1_677_649_963;

/** A model as /v1/models describes it (contract section 2.11); facts follow the contract's fields. */
const describe = ({ id, owner, facts }: ListedModel) => ({
  id,
  object: "model",
  created: CREATED,
  owned_by: owner,
  permission: [PERMISSION],
  root: id,
  parent: null,
  ...(facts && describeFacts(facts)),
});

/** Endpoints of the vendor's SDKs that are not offered. */
const NOT_OFFERED = [
  "agents",
  "assistants",
  "audio/voice_consents",
  "audio/voices",
  "batches",
  "chatkit",
  "containers",
  "content_provenance_checks",
  "decisions",
  "evals",
  "live",
  "organization",
  "organizations",
  "realtime",
  "skills",
  "threads",
  "uploads",
  "vector_stores",
  "videos",
  "webhook_endpoints",
  "webhook_event_types",
];

/** @returns undefined behind a mere slash. */
const askedModel = ({ "*": id = "" }: PathParts) =>
  id === "" ? undefined : ({ kind: "model", id: decodeSegment(id) } as const);

/** Azure names the deployment in the address; here a deployment is a model. */
const askedOfDeployment = ({ model = "" }: PathParts) =>
  model === "" ? undefined : ({ kind: "chat", model: decodeSegment(model) } as const);

const endpoints: readonly Endpoint[] = [
  { method: "POST", path: "/v1/chat/completions", asked: { kind: "chat" } },
  // https://learn.microsoft.com/azure/ai-services/openai/reference#chat-completions
  { method: "POST", path: "/openai/deployments/:model/chat/completions", asked: askedOfDeployment },
  { method: "GET", path: "/v1/models", asked: { kind: "models" } },
  { method: "GET", path: "/v1/models/*", asked: askedModel },
  // The presented key's own figures (docs/reference/endpoints.md#the-key-itself); OpenRouter has the first of them.
  {
    method: "GET",
    path: "/v1/generation",
    asked: (_, query) => ({ kind: "generation", id: new URLSearchParams(query).get("id") ?? "" }),
  },
  {
    method: "GET",
    path: "/v1/generations",
    asked: (_, query) => ({ kind: "generations", count: new URLSearchParams(query).get("limit") ?? "" }),
  },
  { method: "GET", path: "/v1/usage", asked: { kind: "key-usage" } },
  {
    method: "GET",
    path: "/v1/usage/days",
    asked: (_, query) => {
      const sent = new URLSearchParams(query);
      return { kind: "key-days", days: sent.get("days") ?? "", offset: sent.get("offset_minutes") ?? "" };
    },
  },
  // Of fine-tuned models.
  { method: "DELETE", path: "/v1/models/*", asked: NOT_IMPLEMENTED },
  // Stored chats.
  { method: "any", path: "/v1/chat/completions/:id", asked: NOT_IMPLEMENTED },
  { method: "any", path: "/v1/chat/completions/:id/messages", asked: NOT_IMPLEMENTED },
  { method: "any", path: "/v1/files*", asked: NOT_IMPLEMENTED },
  { method: "any", path: "/v1/fine-tunes*", asked: NOT_IMPLEMENTED },
  { method: "any", path: "/v1/fine_tuning*", asked: NOT_IMPLEMENTED },
  ...notOffered("/v1", NOT_OFFERED),
  // Endpoints of OpenAI's own dashboard, used by tools that watch balances (contract section 2.12).
  ...["", "/v1"].flatMap((base) =>
    (["subscription", "usage"] as const).map(
      (figures): Endpoint => ({
        method: "GET",
        path: `${base}/dashboard/billing/${figures}`,
        asked: { kind: "billing", figures },
      }),
    ),
  ),
];

/** The OpenAI API, and the default for clients without other marks. */
export const api: ClientApi = {
  protocol: client,
  bases: ["/v1", "/dashboard/billing/", "/openai/"],
  aliases: { v1: ["/v1"], openai: ["/v1", "/openai"] },
  endpoints,
  // Clients of Azure.
  keyHeader: "api-key",
  models: {
    describe,
    encode: (models) => ({ object: "list", data: models.map(describe) }),
    encodeMissing: ({ message, code }) => ({
      error: { message, type: "invalid_request_error", param: "model", code },
    }),
  },
  // Contract section 0.3.
  encodeUnknownPath: ({ message }) => ({
    error: { message, type: "invalid_request_error", param: "", code: "" },
  }),
};
