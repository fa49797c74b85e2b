import { type Decimal, formatDecimal } from "@tollgate/contract/values/decimal";

/** Where the token counts of a charge came from. */
export type UsageSource = "upstream" | "counted";

/** The ratios of a price, as the contract's consume log says them (section 2.13). */
export const explainRatios = (modelRatio: Decimal, groupRatio: Decimal): string =>
  `模型倍率 ${formatDecimal(modelRatio, 2)}，分组倍率 ${formatDecimal(groupRatio, 2)}`;

/**
 * The detail text of a consume log: the price, and whatever else makes the charge explainable.
 * @param explanation the price's.
 */
export const consumeLogContent = (
  explanation: string,
  source: UsageSource,
  shortfall: number,
  isInterrupted: boolean,
): string => {
  let text = explanation;
  if (source === "counted") text += "，用量由网关计算";
  if (isInterrupted) text += "，客户端中断，按已送达内容计费";
  if (shortfall > 0) text += `，余额不足，少收 ${shortfall}`;
  return text;
};
