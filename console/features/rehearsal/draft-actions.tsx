import { deletePriceDraft } from "@tollgate/contract/api/price-drafts";
import type { PriceDraftSummary } from "@tollgate/contract/management/price-draft";
import { useTranslation } from "react-i18next";
import { type RowAction, RowActions } from "../../components/row-actions";
import { useEndpoint } from "../../lib/use-endpoint";

/** Actions on one draft of prices. */
export const useDraftActions = ({ id, name, state, revision }: PriceDraftSummary): readonly RowAction[] => {
  const { t } = useTranslation();
  const remove = useEndpoint(deletePriceDraft, { repeatsAlways: true });
  const label = t(state === "draft" ? "rehearsal.discard" : "rehearsal.remove");
  return [
    {
      label,
      isDanger: true,
      refusal: state === "scheduled" ? t("rehearsal.scheduledFixed") : undefined,
      question: {
        question: t(state === "draft" ? "rehearsal.discardQuestion" : "rehearsal.removeQuestion", { name }),
        consequence: t(state === "draft" ? "rehearsal.discardConsequence" : "rehearsal.removeConsequence"),
        confirm: label,
      },
      onSelect: () => remove.mutateAsync({ params: { id }, query: state === "draft" ? { revision } : {} }),
    },
  ];
};

export const DraftActions = ({ draft }: { draft: PriceDraftSummary }) => (
  <RowActions of={draft.name} actions={useDraftActions(draft)} />
);
