import { type Decimal, formatDecimal } from "@tollgate/contract/values/decimal";
import type { Price } from "./price";

/** Where the token counts of a charge came from. */
export type UsageSource = "upstream" | "counted";

const atLeastTwo = (ratio: Decimal): string => formatDecimal(ratio, 2);

/**
 * The detail text of a consume log. It begins as the contract's does (section 2.13) and goes on with what makes the
 * charge explainable.
 */
export const consumeLogContent = (
  price: Price,
  source: UsageSource,
  shortfall: number,
  isInterrupted: boolean,
): string => {
  let text = `模型倍率 ${atLeastTwo(price.modelRatio)}，分组倍率 ${atLeastTwo(price.groupRatio)}，补全倍率 ${atLeastTwo(price.completionRatio)}`;
  if (source === "counted") text += "，用量由网关计算";
  if (isInterrupted) text += "，客户端中断，按已送达内容计费";
  if (shortfall > 0) text += `，余额不足，少收 ${shortfall}`;
  return text;
};
