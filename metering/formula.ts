import type { Price } from "./price";

/**
 * The arithmetic of a charge by tokens in one line: `ceil((13 × 1 + 5 × 2) × 0.75 × 1) = 18` (contract section 2.5).
 * @param quota what the price asks for, before any shortfall.
 */
export const explainTokenCharge = (
  { completionRatioText, ratiosText }: Price,
  promptTokens: number,
  completionTokens: number,
  quota: number,
): string =>
  `ceil((${promptTokens} × 1 + ${completionTokens} × ${completionRatioText}) × ${ratiosText}) = ${quota}`;

/**
 * The arithmetic of a charge by images, seconds and the like.
 * @param units as explainUnits says them.
 * @param quota what the price asks for, before any shortfall.
 */
export const explainUnitCharge = ({ ratiosText }: Price, units: string, quota: number): string =>
  `${units} × ${ratiosText} = ${quota}`;
