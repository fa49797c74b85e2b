import type { TokenCount } from "@tollgate/contract/relay/client-api";
import type { ClientProtocol, RequestAddress } from "@tollgate/contract/relay/protocol";
import { promptTokensOf } from "@tollgate/metering/estimate";
import { enter, isRefusal } from "../admission/admit";
import type { ApiKey, Refusal, RelayPorts } from "../ports";
import { chooseGroup } from "../routing/choose-group";
import { modelRefusal } from "./model-refusal";

/** A request whose tokens are asked for. */
export interface CountJob {
  client: ClientProtocol;
  count: TokenCount;
  address: RequestAddress | undefined;
  body: unknown;
  key: ApiKey;
}

/** A count, or why there is none, with the headers that tell of limits. */
export type Counted = { refusal: Refusal } | { headers: Readonly<Record<string, string>>; counted: unknown };

const NO_FIELDS: Readonly<Record<string, unknown>> = {};

const fieldsOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === "object" && body !== null ? (body as Record<string, unknown>) : NO_FIELDS;

/**
 * Counts what a request would read, here and free of charge: the same count that is charged where an upstream tells
 * none. It is the tokenizer's of OpenAI's models, so other vendors' own count may differ.
 * @throws RequestInvalid
 */
export const countPrompt = (
  { client, count, address, body, key }: CountJob,
  { directory, tokenCounter, limiter }: Pick<RelayPorts, "directory" | "tokenCounter" | "limiter">,
  done: (result: Counted) => void,
): void => {
  const sent = fieldsOf(body);
  const chat = count.chatOf?.(sent) ?? sent;
  const { model } = client.summarizeRequest({ ...count.defaults, ...chat }, address);
  // No model reads it, so it uses up no tokens of a minute.
  const pass = enter(limiter, key, { model, promptTokens: 0 }, client.limitHeaders);
  if (pass && isRefusal(pass)) {
    done({ refusal: pass });
    return;
  }
  const end = (result: Counted): void => {
    pass?.leave();
    done(result);
  };
  const headers = pass?.headers ?? {};
  const group = chooseGroup(directory, key.user.groups, model);
  if (directory.candidates(group, model).length === 0) {
    end({ refusal: { ...modelRefusal(directory, group, model), headers } });
    return;
  }
  try {
    const prompt = client.promptText(chat);
    const encode = (tokens: number): void =>
      end({ headers, counted: count.encode(promptTokensOf(tokens, prompt)) });
    tokenCounter.count(model, prompt.text, encode, key.user.id);
  } catch (error) {
    pass?.leave();
    throw error;
  }
};
