import type { Decimal } from "@tollgate/contract/values/decimal";

const TWO: Decimal = { digits: 2n, scale: 0 };
const THREE: Decimal = { digits: 3n, scale: 0 };
const FOUR_THIRDS: Decimal = { digits: 1_333_333n, scale: 6 };
const EIGHT: Decimal = { digits: 8n, scale: 0 };
const CLAUDE_INSTANT: Decimal = { digits: 338n, scale: 2 };
const CLAUDE_2: Decimal = { digits: 2_965_517n, scale: 6 };

/** Models of 2023 by the beginning of their name; not gpt-4o, gpt-4.1 and others with a similar name. */
const GPT_4 = /^gpt-4(?:$|-)/;

/**
 * The price of a completion token in prompt tokens by the contract's own rules (section 3.5, first match), which name
 * only models of 2023.
 * @param model the name after the channel's mapping.
 * @returns undefined for a model that no rule names.
 */
export const contractCompletionRatio = (model: string): Decimal | undefined => {
  if (model.startsWith("gpt-3.5")) {
    if (model.endsWith("1106")) return TWO;
    if (model === "gpt-3.5-turbo" || model === "gpt-3.5-turbo-16k") return TWO;
    return FOUR_THIRDS;
  }
  if (GPT_4.test(model)) return model.endsWith("preview") ? THREE : TWO;
  if (model.startsWith("claude-instant-1")) return CLAUDE_INSTANT;
  if (model.startsWith("claude-2")) return CLAUDE_2;
  // Younger than the contract: the dearest of the family, 5 USD per million input tokens and 40 of an image.
  if (model.startsWith("gpt-image")) return EIGHT;
  return undefined;
};
