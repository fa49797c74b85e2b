import type { PlanTerms } from "@tollgate/contract/api/plans";
import { useTranslation } from "react-i18next";
import { exactQuota } from "../../lib/exact-quota";

/** The terms of a plan as texts. */
export const usePlanTexts = () => {
  const { t } = useTranslation();
  return {
    /** The paid duration: "month", "3 months". */
    durationText: ({ durationUnit, durationCount }: Pick<PlanTerms, "durationUnit" | "durationCount">) =>
      durationCount === 1
        ? t(`plan.one.${durationUnit}`)
        : t(`plan.many.${durationUnit}`, { count: durationCount }),
    /** The paid duration with its number: "1 month", "3 months". */
    lengthText: ({ durationUnit, durationCount }: Pick<PlanTerms, "durationUnit" | "durationCount">) =>
      durationCount === 1
        ? t(`plan.single.${durationUnit}`)
        : t(`plan.many.${durationUnit}`, { count: durationCount }),
    /** The included quota and its reset interval. */
    includedText: ({ quota, reset }: Pick<PlanTerms, "quota" | "reset">) =>
      t(`plan.included.${reset}`, { amount: exactQuota(quota) }),
    beyondText: ({ beyond }: Pick<PlanTerms, "beyond">) => t(`plan.beyondText.${beyond}`),
  };
};
