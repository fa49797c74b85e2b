import type { Redemption } from "@tollgate/contract/api/redemptions";
import { REDEMPTION_DISABLED, REDEMPTION_UNUSED, REDEMPTION_USED } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { StateMark } from "../../components/badge";
import { formatTime } from "../../lib/format";

/** Whether a code that is otherwise redeemable has expired. */
const isExpired = ({ status, expiresTime }: Redemption): boolean =>
  status === REDEMPTION_UNUSED && expiresTime > 0 && expiresTime * 1000 <= Date.now();

/** Whether a code can still be redeemed. */
export const isRedeemable = (redemption: Redemption): boolean =>
  redemption.status === REDEMPTION_UNUSED && !isExpired(redemption);

/** A code's state in words and colour. */
export const RedemptionState = ({ redemption }: { redemption: Redemption }) => {
  const { t } = useTranslation();
  if (isExpired(redemption)) return <StateMark tone="grey">{t("redemption.expired")}</StateMark>;
  switch (redemption.status) {
    case REDEMPTION_UNUSED:
      return (
        <StateMark tone="green">
          {t(redemption.usedCount > 0 ? "redemption.partlyUsed" : "redemption.unused")}
        </StateMark>
      );
    case REDEMPTION_DISABLED:
      return <StateMark tone="red">{t("status.disabled")}</StateMark>;
    case REDEMPTION_USED:
      return <StateMark tone="grey">{t("redemption.used")}</StateMark>;
    default:
      return <StateMark tone="grey">{t("status.unknown")}</StateMark>;
  }
};

/** Uses of a code with several, and the expiry if set; empty for a code without such limits. */
export const RedemptionBounds = ({ redemption }: { redemption: Redemption }) => {
  const { t } = useTranslation();
  const { usedCount, mostUses, expiresTime } = redemption;
  return (
    <>
      {mostUses > 1 && (
        <span className="text-ink-3 text-xs tabular-nums">
          {t("redemption.usesOf", { used: usedCount, most: mostUses })}
        </span>
      )}
      {expiresTime > 0 && (
        <span className="text-ink-3 text-xs tabular-nums">
          {t("redemption.until", { time: formatTime(expiresTime) })}
        </span>
      )}
    </>
  );
};
