import {
  type ClientProtocol,
  type ClientProtocolName,
  type RequestAddress,
  RequestInvalid,
} from "@tollgate/contract/relay/protocol";
import { withChatOverhead } from "@tollgate/metering/estimate";
import { modelRefusal } from "@tollgate/relay/pipeline/model-refusal";
import type { Directory, Refusal, TokenCounter } from "@tollgate/relay/ports";

/** A request whose tokens are asked for. */
export interface CountJob {
  client: ClientProtocol;
  address: RequestAddress | undefined;
  body: unknown;
  group: string;
  /** What this group may use. */
  models: readonly string[];
}

/**
 * Counts what a request would read, here and free of charge: the same count that is charged where an upstream tells
 * none. It is the tokenizer's of OpenAI's models, so other vendors' own count may differ.
 */
export const countPrompt = (
  { client, address, body, group, models }: CountJob,
  directory: Pick<Directory, "isListed">,
  count: TokenCounter["count"],
  refuse: (refusal: Refusal) => void,
  done: (counted: Readonly<Record<string, number | string>>) => void,
): void => {
  const request = requestOf(body);
  let model: string;
  try {
    // A limit is needed to answer, but not to count.
    const limit = client.name === "anthropic-messages" ? { max_tokens: 1 } : {};
    ({ model } = client.outline({ ...limit, ...request }, address));
  } catch (error) {
    if (!(error instanceof RequestInvalid)) throw error;
    const field = error.param === undefined ? {} : { field: error.param };
    refuse({ code: "request-invalid", params: { reason: error.message }, ...field });
    return;
  }
  if (!models.includes(model)) {
    refuse(modelRefusal(directory, group, model));
    return;
  }
  const { text, messages, images } = client.promptText(request);
  count(model, text, (tokens) => {
    const total = withChatOverhead(tokens, messages, images);
    done(encode(client.name, total));
  });
};

const encode = (client: ClientProtocolName, total: number): Readonly<Record<string, number | string>> => {
  switch (client) {
    case "gemini-generate":
      return { totalTokens: total };
    case "openai-responses":
      return { object: "response.input_tokens", input_tokens: total };
    default:
      return { input_tokens: total };
  }
};

/** Gemini's clients may wrap the request to count (https://ai.google.dev/api/tokens#method:-models.counttokens). */
const requestOf = (body: unknown): Record<string, unknown> => {
  const outer = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const inner = outer.generateContentRequest;
  return typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>) : outer;
};
