import type { DeliveredContent } from "@tollgate/contract/relay/content";
import type { PromptText } from "@tollgate/contract/relay/prompt-text";
import { isPlausibleCount, type Usage } from "@tollgate/contract/relay/usage";
import { promptTokensOf, soundTokens, withMedia } from "@tollgate/metering/estimate";
import type { TokenCounter } from "../ports/charges";
import type { Counts } from "./settle";
import { boundsOf } from "./worst-case";

export interface Uncounted {
  model: string;
  /** The charged user. */
  userId: number;
  /** Usage reported by the upstream. */
  usage: Usage;
  /** The prompt's text; called only when it must be counted. */
  prompt: () => PromptText;
  /** The content delivered to the client; may cost some work, so it is called only when it must be counted. */
  delivered: () => DeliveredContent;
  /** The client did not get the whole answer. */
  isInterrupted: boolean;
}

/**
 * The counts to charge: the upstream's if it reported them, else counted here. The last counts of an interrupted answer
 * cover only its beginning, so the delivered content is counted; if the upstream had already reported more (hidden
 * reasoning, pictures), its count is used. A prompt of zero tokens counts as missing: no model reads nothing, and some
 * vendors report none for a cached prompt. Zero written tokens count as missing beside it, or if the client received
 * text, because some vendors start their streams with zeros.
 */
export const countUsage = (
  counter: TokenCounter,
  { model, userId, usage, prompt, delivered, isInterrupted }: Uncounted,
  done: (counts: Counts) => void,
): void => {
  const isReported = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0) > 0;
  // The sum of several plausible counters may still be implausible.
  const isInputTold = isPlausibleCount(usage.inputTokens) && usage.inputTokens > 0;
  const reportedInput = isInputTold ? usage.inputTokens : undefined;
  const isOutputTold =
    isReported && isPlausibleCount(usage.outputTokens) && (usage.outputTokens > 0 || delivered().text === "");
  const reportedOutput = isOutputTold ? usage.outputTokens : undefined;
  if (reportedInput !== undefined && reportedOutput !== undefined && !isInterrupted) {
    done({ promptTokens: reportedInput, completionTokens: reportedOutput, source: "upstream", usage });
    return;
  }
  const promptSource = reportedInput === undefined ? "counted" : "upstream";
  const withPrompt = (promptTokens: number): void => {
    const counts = { promptTokens, source: "counted", promptSource, usage } as const;
    if (reportedOutput !== undefined && !isInterrupted) {
      done({ ...counts, completionTokens: reportedOutput, completionSource: "upstream" });
      return;
    }
    const content = delivered();
    counter.count(
      model,
      content.text,
      (textTokens) => {
        const counted = withMedia(textTokens + content.estimatedTokens, content);
        const completionTokens = Math.max(counted, reportedOutput ?? 0);
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
  if (reportedInput !== undefined) withPrompt(reportedInput);
  else {
    const read = prompt();
    // The token count of files is a guess, which must not exceed the model's limit.
    const most = read.files === 0 ? Number.POSITIVE_INFINITY : boundsOf(model).prompt;
    const onText = (tokens: number): void =>
      withPrompt(Math.max(tokens, Math.min(most, promptTokensOf(tokens, read))));
    counter.count(model, read.text, onText, userId, "charge");
  }
};
