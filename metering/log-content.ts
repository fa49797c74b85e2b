import { type Decimal, formatDecimal } from "@tollgate/contract/values/decimal";
import type { InterruptionCode, LogPhrase } from "@tollgate/contract/values/log-phrase";
import type { Weights } from "./token-classes";

/** The source of a charge's token counts. */
export type UsageSource = "upstream" | "counted";

/** Whether the client received the whole answer; if not, the basis of its charge (docs/reference/interruptions.md). */
export type Delivery = "whole" | "received" | "drained" | "stopped" | "held-up";

const INTERRUPTIONS: Readonly<Record<Exclude<Delivery, "whole">, { code: InterruptionCode }>> = {
  received: { code: "left-and-received" },
  drained: { code: "left-and-drained" },
  stopped: { code: "stopped" },
  "held-up": { code: "held-up" },
};

const COUNTED_HERE: LogPhrase = { code: "counted-here" };

/** The ratios of a price, in the wording of the contract's consume log (section 2.13). */
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

/** Replaces the uncovered amounts in a consume log's text. */
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
 * The text of a consume log: the price, and everything else that explains the charge.
 * @param explanation the price's, returned unchanged when there is nothing to add.
 * @param shortfall the amount that the user's balance could not cover. @param keyShortfall the same for the key's.
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
