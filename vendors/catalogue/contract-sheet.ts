import type { ModelFacts, PriceSheet } from "./sheet";

/*
 * Models in the one-api contract's own table (section 3.6) that no current list names. Most are gone; sites that still
 * offer them charge the old price. 1 is 2 USD per million tokens, or the equivalent in other units.
 */

const USD_PER_RATIO = 2;

/**
 * A text model, by its ratio of the contract.
 * @param completionRatio price of an output token relative to a prompt token (contract section 3.5).
 */
export const byRatio = (ratio: number, completionRatio = 1): ModelFacts => {
  const input = ratio * USD_PER_RATIO;
  return { price: { input, output: input * completionRatio } };
};

/** A model without output tokens, by its ratio of the contract. */
export const wordlessByRatio = (ratio: number): ModelFacts => ({
  price: { input: ratio * USD_PER_RATIO },
  writesNothing: true,
});

/** The contract's prices of one owner's models. */
export const contractSheet = (owner: PriceSheet["owner"], models: PriceSheet["models"]): PriceSheet => ({
  owner,
  currency: "USD",
  source: "https://github.com/songquanpeng/one-api",
  asOf: "2023-12-31",
  confidence: "secondary",
  models,
});
