import type { PlanTerms } from "@tollgate/contract/api/plans";
import { LIMITS } from "@tollgate/contract/management/limits";
import { useTranslation } from "react-i18next";
import { exactQuota } from "../../lib/exact-quota";
import { formatCount } from "../../lib/format";

type ShownLimit = Exclude<keyof typeof LIMITS, "windowHours" | "softBudgets">;

/** The length of a window is told with its budget, and so is that budgets refuse nothing. */
const SHOWN_LIMITS = (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).filter(
  (name): name is ShownLimit => name !== "windowHours" && name !== "softBudgets",
);

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
    /** The limits while it lasts, a text for each. */
    limitTexts: ({ limits = {} }: Pick<PlanTerms, "limits">): string[] =>
      SHOWN_LIMITS.flatMap((limit) => {
        const max = limits[limit];
        if (max === undefined) return [];
        const isBudget = LIMITS[limit].column === "QUOTA";
        const name =
          limit === "windowQuota" ? t("limit.windowOf", { hours: limits.windowHours }) : t(`limit.${limit}`);
        const text = t("plan.limitFact", { name, max: isBudget ? exactQuota(max) : formatCount(max) });
        return [isBudget && limits.softBudgets ? t("plan.softFact", { limit: text }) : text];
      }),
    beyondText: ({ beyond }: Pick<PlanTerms, "beyond">) => t(`plan.beyondText.${beyond}`),
  };
};
