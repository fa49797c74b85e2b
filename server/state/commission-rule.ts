import type { CommissionRule } from "@tollgate/contract/records/commission-record";
import type { Options } from "./options";

/** The inviter's commission on payments, from the options; undefined for none. */
export const readCommissionRule = (options: Pick<Options, "number" | "isOn">): CommissionRule | undefined => {
  const basisPoints = Math.round(options.number("CommissionPercent") * 100);
  return basisPoints > 0 ? { basisPoints, isOfEach: options.isOn("CommissionOfEachPayment") } : undefined;
};
