import type {
  ClientProtocol,
  ClientProtocolName,
  ProtocolName,
  UpstreamProtocol,
} from "@tollgate/contract/relay/protocol";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages";
import { openaiChat } from "./openai-chat/openai-chat";

/** The API shapes that clients may speak. */
export const CLIENT_PROTOCOLS: Readonly<Record<ClientProtocolName, ClientProtocol>> = {
  "openai-chat": openaiChat,
  "anthropic-messages": anthropicMessages,
};

/** The API shapes that upstreams may speak. */
export const UPSTREAM_PROTOCOLS: Readonly<Record<ProtocolName, UpstreamProtocol>> = {
  "openai-chat": openaiChat,
  "anthropic-messages": anthropicMessages,
};
