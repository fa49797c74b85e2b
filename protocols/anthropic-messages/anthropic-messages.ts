import type { ClientProtocol, UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { client } from "./client";
import { upstream } from "./upstream";

/** Anthropic Messages, both sides: https://docs.anthropic.com/en/api/messages */
export const anthropicMessages: ClientProtocol & UpstreamProtocol = { ...upstream, ...client };
