import { type Decimal, formatDecimal } from "@tollgate/contract/values/decimal";
import type { Weights } from "./token-classes";

/** Where the token counts of a charge came from. */
export type UsageSource = "upstream" | "counted";

/** Whether the client got the whole answer; if not, what it is charged by (docs/reference/interruptions.md). */
export type Delivery = "whole" | "received" | "drained" | "stopped" | "held-up";

const INTERRUPTIONS: Readonly<Record<Delivery, string>> = {
  whole: "",
  received: "，客户端中断，按已送达内容计费",
  drained: "，客户端中断，按上游用量计费",
  stopped: "，应答被网关中止，按已送达内容计费",
  "held-up": "，客户端读取过慢，上游中断，按已送达内容计费",
};

const groupText = (groupRatio: Decimal): string => `分组倍率 ${formatDecimal(groupRatio, 2)}`;

/** The ratios of a price, as the contract's consume log says them (section 2.13). */
export const explainRatios = (modelRatio: Decimal, groupRatio: Decimal): string =>
  `模型倍率 ${formatDecimal(modelRatio, 2)}，${groupText(groupRatio)}`;

/** A price in money. @param weights USD per million tokens. */
export const explainMoney = ({ input, output }: Weights, groupRatio: Decimal): string =>
  `输入 $${formatDecimal(input)}/1M，输出 $${formatDecimal(output)}/1M，${groupText(groupRatio)}`;

export const explainPerCall = (usd: Decimal, groupRatio: Decimal): string =>
  `按次 $${formatDecimal(usd)}，${groupText(groupRatio)}`;

/**
 * The detail text of a consume log: the price, and whatever else makes the charge explainable.
 * @param explanation the price's.
 * @param shortfall what the user's balance could not cover. @param keyShortfall what the key's could not.
 */
export const consumeLogContent = (
  explanation: string,
  source: UsageSource,
  shortfall: number,
  keyShortfall: number,
  delivery: Delivery,
): string => {
  let text = explanation;
  if (source === "counted") text += "，用量由网关计算";
  text += INTERRUPTIONS[delivery];
  if (shortfall > 0) text += `，余额不足，少收 ${shortfall}`;
  if (keyShortfall > 0) text += `，令牌额度不足，少扣令牌 ${keyShortfall}`;
  return text;
};
