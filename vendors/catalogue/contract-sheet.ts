import type { ModelFacts, PriceSheet } from "./sheet";

/*
 * The models of the one-api contract's own table (section 3.6) that no list of today names. Most are gone; sites that
 * still offer them charge what they always charged. 1 is 2 USD per million tokens, or what other units count as.
 */

const USD_PER_RATIO = 2;

/**
 * A model that writes, by its ratio of the contract.
 * @param completionRatio what a token of the answer costs beside one of the prompt (contract section 3.5).
 */
export const byRatio = (ratio: number, completionRatio = 1): ModelFacts => {
  const input = ratio * USD_PER_RATIO;
  return { price: { input, output: input * completionRatio } };
};

/** A model that answers with no tokens of its own, by its ratio of the contract. */
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
