import { type Decimal, ONE } from "@tollgate/contract/values/decimal";

const TWO: Decimal = { digits: 2n, scale: 0 };
const THREE: Decimal = { digits: 3n, scale: 0 };
const FOUR_THIRDS: Decimal = { digits: 1_333_333n, scale: 6 };
const EIGHT: Decimal = { digits: 8n, scale: 0 };
const CLAUDE_INSTANT: Decimal = { digits: 338n, scale: 2 };
const CLAUDE_2: Decimal = { digits: 2_965_517n, scale: 6 };

/**
 * How many prompt tokens one completion token of a model costs (contract section 3.5, first match).
 * @param model the name after the channel's mapping.
 */
export const completionRatio = (model: string): Decimal => {
  if (model.startsWith("gpt-3.5")) {
    if (model.endsWith("1106")) return TWO;
    if (model === "gpt-3.5-turbo" || model === "gpt-3.5-turbo-16k") return TWO;
    return FOUR_THIRDS;
  }
  if (model.startsWith("gpt-4")) return model.endsWith("preview") ? THREE : TWO;
  if (model.startsWith("claude-instant-1")) return CLAUDE_INSTANT;
  if (model.startsWith("claude-2")) return CLAUDE_2;
  // Younger than the contract: 5 USD per million input tokens, 40 per million of an image (https://openai.com/api/pricing).
  if (model.startsWith("gpt-image")) return EIGHT;
  return ONE;
};
