import type { BalanceSource, BalanceUnit } from "../define-vendor";

/** What a vendor's file says of the units of balances. */
export type BalanceUnits = Pick<BalanceSource, "unit" | "unitAt">;

const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : "");

/**
 * The unit of the balance that an upstream reports; undefined where it reports none.
 * @param baseUrl the channel's own base address, "" for the vendor's
 */
export const balanceUnitAt = (units: BalanceUnits | undefined, baseUrl: string): BalanceUnit | undefined => {
  const at = units?.unitAt?.[hostOf(baseUrl)];
  return at === undefined ? units?.unit : (at ?? undefined);
};
