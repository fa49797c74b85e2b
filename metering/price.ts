import {
  add,
  type Decimal,
  formatDecimal,
  isZero,
  multiply,
  multiplyInteger,
  ONE,
  roundUp,
} from "@tollgate/contract/values/decimal";
import { completionRatio } from "./completion-ratio";
import { explainRatios } from "./log-content";
import type { RatioTable } from "./ratio-table";

/** What one token of a model costs one group, in quota. */
export interface Price {
  model: string;
  modelRatio: Decimal;
  groupRatio: Decimal;
  completionRatio: Decimal;
  /** Quota per prompt token: modelRatio × groupRatio. */
  perPromptToken: Decimal;
  /** Quota per completion token: perPromptToken × completionRatio. */
  perCompletionToken: Decimal;
  /** How a log line says it. */
  explanation: string;
  /** The ratios as the arithmetic of a receipt writes them. */
  ratiosText: string;
  completionRatioText: string;
  /** Which prices these are: a number that grows with each change of them. */
  version: number;
}

/**
 * The price of a model for a group. A group without a ratio pays 1 (contract section 3.6).
 * @param model the name after the channel's mapping.
 * @param fallbackRatio for models that the table does not name; undefined refuses them.
 * @param version of the tables.
 * @returns undefined when the model has no price.
 */
export const findPrice = (
  model: string,
  group: string,
  modelRatios: RatioTable,
  groupRatios: RatioTable,
  fallbackRatio: Decimal | undefined,
  version = 1,
): Price | undefined => {
  const modelRatio = modelRatios.get(model) ?? fallbackRatio;
  if (modelRatio === undefined) return undefined;
  const groupRatio = groupRatios.get(group) ?? ONE;
  const completion = completionRatio(model);
  const perPromptToken = multiply(modelRatio, groupRatio);
  return {
    model,
    modelRatio,
    groupRatio,
    completionRatio: completion,
    perPromptToken,
    perCompletionToken: multiply(perPromptToken, completion),
    explanation: explainRatios(modelRatio, groupRatio),
    ratiosText: `${formatDecimal(modelRatio)} × ${formatDecimal(groupRatio)}`,
    completionRatioText: formatDecimal(completion),
    version,
  };
};

/**
 * The quota for an answer (contract section 2.5): rounded up once, at the end; at least 1 unless the price is zero;
 * nothing when nothing was read or written.
 */
export const priceAnswer = (price: Price, promptTokens: number, completionTokens: number): number => {
  if (promptTokens + completionTokens === 0) return 0;
  if (isZero(price.perPromptToken)) return 0;
  const exact = add(
    multiplyInteger(price.perPromptToken, promptTokens),
    multiplyInteger(price.perCompletionToken, completionTokens),
  );
  return Math.max(1, roundUp(exact));
};

/**
 * The quota to hold before an attempt: what the answer may cost at worst, as far as it can be known.
 * @param promptTokens an estimate that is not below the truth.
 * @param maxOutputTokens the client's limit; undefined when it set none.
 * @param defaultTokens tokens to hold for the answer when there is no limit (option PreConsumedQuota).
 */
export const priceHold = (
  price: Price,
  promptTokens: number,
  maxOutputTokens: number | undefined,
  defaultTokens: number,
): number =>
  roundUp(
    add(
      multiplyInteger(price.perPromptToken, promptTokens),
      multiplyInteger(price.perCompletionToken, maxOutputTokens ?? defaultTokens),
    ),
  );
