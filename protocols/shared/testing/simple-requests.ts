import type { ChannelFields, UpstreamCall, UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { TEST_FIELDS } from "./request-parts";

/** A user message "hi" alone. */
export const HI: ChatRequest = {
  model: "m",
  system: [],
  turns: [{ role: "user", parts: [{ kind: "text", text: "hi" }] }],
  tools: [],
  isStream: false,
  wantsUsageChunk: false,
};

/** Instructions, and a conversation with one assistant turn. */
export const TALK: Partial<ChatRequest> = {
  system: [{ kind: "text", text: "be brief" }],
  turns: [
    { role: "user", parts: [{ kind: "text", text: "hi" }] },
    { role: "assistant", parts: [{ kind: "text", text: "Hello" }] },
    { role: "user", parts: [{ kind: "text", text: "1+1=?" }] },
  ],
};

/** Two parallel calls of a tool, their results, and a further user message. */
export const TOOL_TALK: Partial<ChatRequest> = {
  tools: [{ name: "f", description: "d", parameters: { type: "object", properties: { a: {} } } }],
  turns: [
    { role: "user", parts: [{ kind: "text", text: "go" }] },
    {
      role: "assistant",
      parts: [
        { kind: "reasoning", text: "hm" },
        { kind: "text", text: "wait" },
        { kind: "tool-call", id: "c1", name: "f", arguments: '{"a":1}' },
        { kind: "tool-call", id: "c2", name: "f", arguments: "" },
      ],
    },
    {
      role: "user",
      parts: [
        { kind: "tool-result", toolCallId: "c1", content: [{ kind: "text", text: "one" }] },
        { kind: "tool-result", toolCallId: "c2", content: [{ kind: "text", text: "bad" }], isError: true },
        { kind: "text", text: "so?" },
      ],
    },
  ],
};

export const PICTURE: Partial<ChatRequest> = {
  turns: [
    {
      role: "user",
      parts: [
        { kind: "text", text: "what is it?" },
        { kind: "image", data: "iVBORw0KGgoAAAANSUhEUg==", mediaType: "image/png" },
      ],
    },
  ],
};

/** A protocol's upstream call for a request, with its body as sent. */
export const buildWire = (
  protocol: UpstreamProtocol,
  fields: Partial<ChatRequest>,
  ofChannel: ChannelFields = TEST_FIELDS,
): UpstreamCall & { body: Record<string, unknown> } => {
  const call = protocol.buildRequest({ ...HI, ...fields }, ofChannel);
  return { ...call, body: JSON.parse(JSON.stringify(call.body)) };
};
