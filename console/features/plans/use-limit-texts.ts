import type { PlanTerms } from "@tollgate/contract/api/plans";
import { LIMITS } from "@tollgate/contract/management/limits";
import { useTranslation } from "react-i18next";
import { exactQuota } from "../../lib/exact-quota";
import { inThousands } from "../../lib/format";

type ShownLimit = Exclude<keyof typeof LIMITS, "windowHours" | "softBudgets">;

/** The length of a window is told with its budget, and so is that budgets refuse nothing. */
const SHOWN_LIMITS = (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).filter(
  (name): name is ShownLimit => name !== "windowHours" && name !== "softBudgets",
);

/** Returns what tells the limits of a plan, a text for each. */
export const useLimitTexts = () => {
  const { t } = useTranslation();
  return ({ limits = {} }: Pick<PlanTerms, "limits">): string[] =>
    SHOWN_LIMITS.flatMap((limit) => {
      const max = limits[limit];
      if (max === undefined) return [];
      const isBudget = LIMITS[limit].column === "QUOTA";
      const name =
        limit === "windowQuota" ? t("limit.windowOf", { hours: limits.windowHours }) : t(`limit.${limit}`);
      const text = t("plan.limitFact", { name, max: isBudget ? exactQuota(max) : inThousands(max) });
      return [isBudget && limits.softBudgets ? t("plan.softFact", { limit: text }) : text];
    });
};
