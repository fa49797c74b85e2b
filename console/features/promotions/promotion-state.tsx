import type { Promotion } from "@tollgate/contract/api/promotions";
import { useTranslation } from "react-i18next";
import { StateMark, type Tone } from "../../components/badge";

type State = "scheduled" | "live" | "ended" | "used-up" | "disabled";

const TONES: Readonly<Record<State, Tone>> = {
  scheduled: "yellow",
  live: "green",
  ended: "grey",
  "used-up": "grey",
  disabled: "red",
};

/** @param now unix seconds. */
export const promotionState = (promotion: Promotion, now: number): State => {
  const { isEnabled, startsAt, endsAt, maxUses, usedCount, maxTotal, usedTotal } = promotion;
  if (!isEnabled) return "disabled";
  if (endsAt !== 0 && endsAt <= now) return "ended";
  if ((maxUses > 0 && usedCount >= maxUses) || (maxTotal > 0 && usedTotal >= maxTotal)) return "used-up";
  return startsAt > now ? "scheduled" : "live";
};

/** A promotion's state in words and colour. */
export const PromotionState = ({ promotion, now }: { promotion: Promotion; now: number }) => {
  const { t } = useTranslation();
  const state = promotionState(promotion, now);
  return <StateMark tone={TONES[state]}>{t(`promotion.states.${state}`)}</StateMark>;
};
