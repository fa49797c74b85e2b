import { type Decimal, formatDecimal } from "@tollgate/contract/values/decimal";
import type { LogPhrase } from "@tollgate/contract/values/log-phrase";
import type { Weights } from "./token-classes";

/** Where the token counts of a charge came from. */
export type UsageSource = "upstream" | "counted";

/** Whether the client got the whole answer; if not, what it is charged by (docs/reference/interruptions.md). */
export type Delivery = "whole" | "received" | "drained" | "stopped" | "held-up";

const INTERRUPTIONS: Readonly<Record<Exclude<Delivery, "whole">, LogPhrase>> = {
  received: { code: "left-and-received" },
  drained: { code: "left-and-drained" },
  stopped: { code: "stopped" },
  "held-up": { code: "held-up" },
};

const COUNTED_HERE: LogPhrase = { code: "counted-here" };

/** The ratios of a price, as the contract's consume log says them (section 2.13). */
export const explainRatios = (modelRatio: Decimal, groupRatio: Decimal): LogPhrase => ({
  code: "ratios",
  model: formatDecimal(modelRatio, 2),
  group: formatDecimal(groupRatio, 2),
});

/** A price in money. @param weights USD per million tokens. */
export const explainMoney = ({ input, output }: Weights, groupRatio: Decimal): LogPhrase => ({
  code: "money",
  input: formatDecimal(input),
  output: formatDecimal(output),
  group: formatDecimal(groupRatio, 2),
});

export const explainPerCall = (usd: Decimal, groupRatio: Decimal): LogPhrase => ({
  code: "per-call",
  usd: formatDecimal(usd),
  group: formatDecimal(groupRatio, 2),
});

/** What a consume log says, with other amounts that could not be covered. */
export const withShortfalls = (
  content: readonly LogPhrase[],
  shortfall: number,
  keyShortfall: number,
): readonly LogPhrase[] => {
  const others = content.filter(({ code }) => code !== "user-shortfall" && code !== "key-shortfall");
  if (shortfall > 0) others.push({ code: "user-shortfall", quota: shortfall });
  if (keyShortfall > 0) others.push({ code: "key-shortfall", quota: keyShortfall });
  return others;
};

/**
 * What a consume log says: the price, and whatever else makes the charge explainable.
 * @param explanation the price's, given back as it is where there is nothing else to say.
 * @param shortfall what the user's balance could not cover. @param keyShortfall what the key's could not.
 */
export const consumeLogContent = (
  explanation: readonly LogPhrase[],
  source: UsageSource,
  shortfall: number,
  keyShortfall: number,
  delivery: Delivery,
): readonly LogPhrase[] => {
  const isPlain = source !== "counted" && delivery === "whole" && shortfall <= 0 && keyShortfall <= 0;
  if (isPlain) return explanation;
  const content = [...explanation];
  if (source === "counted") content.push(COUNTED_HERE);
  if (delivery !== "whole") content.push(INTERRUPTIONS[delivery]);
  if (shortfall > 0) content.push({ code: "user-shortfall", quota: shortfall });
  if (keyShortfall > 0) content.push({ code: "key-shortfall", quota: keyShortfall });
  return content;
};
