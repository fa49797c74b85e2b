import type { PlanTerms } from "@tollgate/contract/api/plans";
import { useTranslation } from "react-i18next";
import { exactQuota } from "../../lib/exact-quota";

/** What the terms of a plan say, in words. */
export const usePlanTexts = () => {
  const { t } = useTranslation();
  return {
    /** For how long its price is paid: "month", "3 months". */
    durationText: ({ durationUnit, durationCount }: Pick<PlanTerms, "durationUnit" | "durationCount">) =>
      durationCount === 1
        ? t(`plan.one.${durationUnit}`)
        : t(`plan.many.${durationUnit}`, { count: durationCount }),
    /** What is included, and when it comes again. */
    includedText: ({ quota, reset }: Pick<PlanTerms, "quota" | "reset">) =>
      t(`plan.included.${reset}`, { amount: exactQuota(quota) }),
    beyondText: ({ beyond }: Pick<PlanTerms, "beyond">) => t(`plan.beyondText.${beyond}`),
  };
};
