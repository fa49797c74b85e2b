import type { Subscription } from "@tollgate/contract/api/plans";
import { useTranslation } from "react-i18next";
import { StateMark, type Tone } from "../../components/badge";

const TONES: Readonly<Record<Subscription["state"], Tone>> = {
  active: "green",
  waiting: "yellow",
  ended: "grey",
};

export const SubscriptionState = ({ state }: Pick<Subscription, "state">) => {
  const { t } = useTranslation();
  return <StateMark tone={TONES[state]}>{t(`plan.state.${state}`)}</StateMark>;
};
