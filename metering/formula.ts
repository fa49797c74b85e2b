import { formatDecimal } from "@tollgate/contract/values/decimal";
import type { Price } from "./price";

const ratiosOf = ({ modelRatio, groupRatio }: Price): string =>
  `${formatDecimal(modelRatio)} × ${formatDecimal(groupRatio)}`;

/**
 * The arithmetic of a charge by tokens in one line: `ceil((13 × 1 + 5 × 2) × 0.75 × 1) = 18` (contract section 2.5).
 * @param quota what the price asks for, before any shortfall.
 */
export const explainTokenCharge = (
  price: Price,
  promptTokens: number,
  completionTokens: number,
  quota: number,
): string =>
  `ceil((${promptTokens} × 1 + ${completionTokens} × ${formatDecimal(price.completionRatio)}) × ${ratiosOf(price)}) = ${quota}`;

/**
 * The arithmetic of a charge by images, seconds and the like.
 * @param units as explainUnits says them.
 * @param quota what the price asks for, before any shortfall.
 */
export const explainUnitCharge = (price: Price, units: string, quota: number): string =>
  `${units} × ${ratiosOf(price)} = ${quota}`;
