import type { PlanTerms } from "@tollgate/contract/api/plans";
import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLimitTexts } from "./use-limit-texts";
import { usePlanTexts } from "./use-plan-texts";

/** The content of a plan, line by line. */
export const PlanFacts = ({ terms }: { terms: PlanTerms }) => {
  const { t } = useTranslation();
  const { includedText, beyondText } = usePlanTexts();
  const limitTexts = useLimitTexts();
  const facts = [
    includedText(terms),
    ...limitTexts(terms),
    ...(terms.group === "" ? [] : [t("plan.groupFact", { group: terms.group })]),
    beyondText(terms),
  ];
  return (
    <ul className="flex flex-col gap-1.5 text-sm text-ink-2">
      {facts.map((fact) => (
        <li key={fact} className="flex gap-2">
          <Check aria-hidden className="mt-[3px] size-3.5 shrink-0 text-green" />
          <span className="min-w-0 break-words">{fact}</span>
        </li>
      ))}
    </ul>
  );
};
