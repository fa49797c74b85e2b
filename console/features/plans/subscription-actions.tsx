import { endSubscription, type ShownSubscription } from "@tollgate/contract/api/plans";
import { useTranslation } from "react-i18next";
import { type RowAction, RowActions } from "../../components/row-actions";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";

const namesOf = ({ title: plan, username, userId }: ShownSubscription) => ({
  plan,
  user: username || `#${userId}`,
});

/** Actions on one user's plan; an ended one has no action. */
export const useSubscriptionActions = (subscription: ShownSubscription): readonly RowAction[] => {
  const { t } = useTranslation();
  const end = useEndpoint(endSubscription);
  const { id, state } = subscription;
  if (state === "ended") return [];
  return [
    {
      label: t("plan.end"),
      isDanger: true,
      question: {
        question: t("plan.endQuestion", namesOf(subscription)),
        consequence: t("plan.endConsequence"),
        confirm: t("plan.end"),
      },
      onSelect: () => end.mutateAsync({ params: { id } }).then(() => notify.success(t("action.done"))),
    },
  ];
};

export const SubscriptionActions = ({ subscription }: { subscription: ShownSubscription }) => {
  const { plan, user } = namesOf(subscription);
  const actions = useSubscriptionActions(subscription);
  return actions.length === 0 ? null : <RowActions of={`${plan}, ${user}`} actions={actions} />;
};
