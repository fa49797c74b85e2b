import type { ClientProtocol, ClientProtocolName, RequestAddress } from "@tollgate/contract/relay/protocol";
import { promptTokensOf } from "@tollgate/metering/estimate";
import { isRefusal } from "@tollgate/relay/admission/admit";
import { modelRefusal } from "@tollgate/relay/pipeline/model-refusal";
import type { Directory, KeyEntry, Refusal, RequestLimiter, TokenCounter } from "@tollgate/relay/ports";
import { chooseGroup } from "@tollgate/relay/routing/choose-group";

/** A request whose tokens are asked for. */
export interface CountJob {
  client: ClientProtocol;
  address: RequestAddress | undefined;
  body: unknown;
  key: KeyEntry;
  /** What this key may use. */
  models: readonly string[];
}

/** What counting needs of the gateway. */
export interface CountPorts {
  directory: Pick<Directory, "candidates" | "isListed">;
  tokenCounter: TokenCounter;
  /** Rates hold for counting as for anything else that a key asks for. */
  limiter: RequestLimiter;
}

/** A count, or why there is none, with the headers that tell of limits. */
export type Counted =
  | { refusal: Refusal }
  | { headers: Readonly<Record<string, string>>; counted: Readonly<Record<string, number | string>> };

/**
 * Counts what a request would read, here and free of charge: the same count that is charged where an upstream tells
 * none. It is the tokenizer's of OpenAI's models, so other vendors' own count may differ.
 * @throws RequestInvalid
 */
export const countPrompt = (
  { client, address, body, key, models }: CountJob,
  { directory, tokenCounter, limiter }: CountPorts,
  done: (result: Counted) => void,
): void => {
  const request = requestOf(body);
  // A limit is needed to answer, but not to count.
  const limit = client.name === "anthropic-messages" ? { max_tokens: 1 } : {};
  const { model } = client.outline({ ...limit, ...request }, address);
  if (!models.includes(model)) {
    done({ refusal: modelRefusal(directory, chooseGroup(directory, key.user.groups, model), model) });
    return;
  }
  // No model reads it, so it uses up no tokens of a minute.
  const pass = limiter.enter(key, { promptTokens: 0 }, client.limitHeaders);
  if (pass && isRefusal(pass)) {
    done({ refusal: pass });
    return;
  }
  const end = (result: Counted): void => {
    pass?.leave();
    done(result);
  };
  try {
    const prompt = client.promptText(request);
    tokenCounter.count(
      model,
      prompt.text,
      (tokens) => {
        const counted = encode(client.name, promptTokensOf(tokens, prompt));
        end({ headers: pass?.headers ?? {}, counted });
      },
      key.user.id,
    );
  } catch (error) {
    pass?.leave();
    throw error;
  }
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
