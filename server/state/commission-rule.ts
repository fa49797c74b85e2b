import {
  COMMISSION_SOURCES,
  type CommissionRule,
  type CommissionSource,
} from "@tollgate/contract/records/commission-record";
import type { Options } from "./options";

const SWITCHES = {
  "top-up": "CommissionOfTopUps",
  plan: "CommissionOfPlans",
  code: "CommissionOfCodes",
} as const satisfies Readonly<Record<CommissionSource, string>>;

/** The inviter's commission on payments, from the options; undefined for none. */
export const readCommissionRule = (options: Pick<Options, "number" | "isOn">): CommissionRule | undefined => {
  const basisPoints = Math.round(options.number("CommissionPercent") * 100);
  const sources = COMMISSION_SOURCES.filter((source) => options.isOn(SWITCHES[source]));
  if (basisPoints <= 0 || sources.length === 0) return undefined;
  return {
    basisPoints,
    isOfEach: options.isOn("CommissionOfEachPayment"),
    sources,
    isOfBonus: options.isOn("CommissionOfBonuses"),
  };
};
