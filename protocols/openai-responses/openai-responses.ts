import type { ClientProtocol, UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { client } from "./client";
import { upstream } from "./upstream";

/** OpenAI Responses, both sides: https://platform.openai.com/docs/api-reference/responses */
export const openaiResponses: ClientProtocol & UpstreamProtocol = { ...upstream, ...client };
