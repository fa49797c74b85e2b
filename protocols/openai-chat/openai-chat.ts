import type { ClientProtocol, UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { client } from "./client";
import { upstream } from "./upstream";

/** OpenAI Chat Completions, both sides: https://platform.openai.com/docs/api-reference/chat */
export const openaiChat: ClientProtocol & UpstreamProtocol = { ...upstream, ...client };
