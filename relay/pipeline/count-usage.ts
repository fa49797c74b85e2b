import type { PromptText } from "@tollgate/contract/relay/prompt-text";
import type { Usage } from "@tollgate/contract/relay/usage";
import { withChatOverhead } from "@tollgate/metering/estimate";
import type { TokenCounter } from "../ports";
import type { Counts } from "./settle";

export interface Uncounted {
  model: string;
  /** Who is charged. */
  userId: number;
  /** What the upstream told. */
  usage: Usage;
  prompt: PromptText;
  /** What the client was given; may cost some work, so it is asked for only when it must be counted. */
  deliveredText: () => string;
  /** The client did not get the whole answer. */
  isInterrupted: boolean;
}

/**
 * The counts to charge: the upstream's where it told them, else counted here. An interrupted answer is always counted,
 * because the upstream's number would cover what was never delivered. Two zeros are no word: no model reads nothing.
 */
export const countUsage = (
  counter: TokenCounter,
  { model, userId, usage, prompt, deliveredText, isInterrupted }: Uncounted,
  done: (counts: Counts) => void,
): void => {
  const isTold = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0) > 0;
  const toldInput = isTold ? usage.inputTokens : undefined;
  const toldOutput = isTold && !isInterrupted ? usage.outputTokens : undefined;
  if (toldInput !== undefined && toldOutput !== undefined) {
    done({ promptTokens: toldInput, completionTokens: toldOutput, source: "upstream", usage });
    return;
  }
  const promptSource = toldInput === undefined ? "counted" : "upstream";
  const withPrompt = (promptTokens: number): void => {
    const counts = { promptTokens, source: "counted", promptSource, usage } as const;
    if (toldOutput !== undefined) {
      done({ ...counts, completionTokens: toldOutput, completionSource: "upstream" });
      return;
    }
    counter.count(
      model,
      deliveredText(),
      (completionTokens) => done({ ...counts, completionTokens }),
      userId,
    );
  };
  if (toldInput !== undefined) withPrompt(toldInput);
  else
    counter.count(
      model,
      prompt.text,
      (tokens) => withPrompt(withChatOverhead(tokens + (prompt.tokens ?? 0), prompt.messages, prompt.images)),
      userId,
    );
};
