import type { DeliveredContent } from "@tollgate/contract/relay/content";
import type { PromptText } from "@tollgate/contract/relay/prompt-text";
import { isPlausibleCount, type Usage } from "@tollgate/contract/relay/usage";
import { promptTokensOf, soundTokens, withMedia } from "@tollgate/metering/estimate";
import type { TokenCounter } from "../ports";
import type { Counts } from "./settle";
import { boundsOf } from "./worst-case";

export interface Uncounted {
  model: string;
  /** Who is charged. */
  userId: number;
  /** What the upstream told. */
  usage: Usage;
  /** What the model read; asked for only when it must be counted, too. */
  prompt: () => PromptText;
  /** What the client was given; may cost some work, so it is asked for only when it must be counted. */
  delivered: () => DeliveredContent;
  /** The client did not get the whole answer. */
  isInterrupted: boolean;
}

/**
 * The counts to charge: the upstream's where it told them, else counted here. Of an interrupted answer the upstream's
 * last word covers only what came before it, so what was delivered is counted; but where the upstream told more than
 * that until then (hidden reasoning, pictures), its word counts. Two zeros are no word: no model reads nothing; and that
 * nothing was written is none where the client was given words, but what some vendors begin their streams with.
 */
export const countUsage = (
  counter: TokenCounter,
  { model, userId, usage, prompt, delivered, isInterrupted }: Uncounted,
  done: (counts: Counts) => void,
): void => {
  const isTold = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0) > 0;
  // Sums of many counters may be beyond measure where each of them is not.
  const toldInput = isTold && isPlausibleCount(usage.inputTokens) ? usage.inputTokens : undefined;
  const isOutputTold =
    isTold && isPlausibleCount(usage.outputTokens) && (usage.outputTokens > 0 || delivered().text === "");
  const toldOutput = isOutputTold ? usage.outputTokens : undefined;
  if (toldInput !== undefined && toldOutput !== undefined && !isInterrupted) {
    done({ promptTokens: toldInput, completionTokens: toldOutput, source: "upstream", usage });
    return;
  }
  const promptSource = toldInput === undefined ? "counted" : "upstream";
  const withPrompt = (promptTokens: number): void => {
    const counts = { promptTokens, source: "counted", promptSource, usage } as const;
    if (toldOutput !== undefined && !isInterrupted) {
      done({ ...counts, completionTokens: toldOutput, completionSource: "upstream" });
      return;
    }
    const content = delivered();
    counter.count(
      model,
      content.text,
      (textTokens) => {
        const counted = withMedia(textTokens + content.estimatedTokens, content);
        const completionTokens = Math.max(counted, toldOutput ?? 0);
        const completionSource = completionTokens > counted ? "upstream" : "counted";
        const sound = soundTokens(content);
        const audioOutputTokens =
          sound === 0 ? usage.audioOutputTokens : Math.max(sound, usage.audioOutputTokens ?? 0);
        done({ ...counts, completionTokens, completionSource, usage: { ...usage, audioOutputTokens } });
      },
      userId,
      "charge",
    );
  };
  if (toldInput !== undefined) withPrompt(toldInput);
  else {
    const read = prompt();
    // What files count as is a guess, which must not be more than the model can read.
    const most = read.files === 0 ? Number.POSITIVE_INFINITY : boundsOf(model).prompt;
    const onText = (tokens: number): void =>
      withPrompt(Math.max(tokens, Math.min(most, promptTokensOf(tokens, read))));
    counter.count(model, read.text, onText, userId, "charge");
  }
};
