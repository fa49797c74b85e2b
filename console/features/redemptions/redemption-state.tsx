import type { Redemption } from "@tollgate/contract/management/redemption";
import { REDEMPTION_DISABLED, REDEMPTION_UNUSED, REDEMPTION_USED } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { StateMark } from "../../components/badge";
import { formatTime } from "../../lib/format";

/** A code's state in words and colour. */
export const RedemptionState = ({ status }: { status: number }) => {
  const { t } = useTranslation();
  switch (status) {
    case REDEMPTION_UNUSED:
      return <StateMark tone="green">{t("redemption.unused")}</StateMark>;
    case REDEMPTION_DISABLED:
      return <StateMark tone="red">{t("status.disabled")}</StateMark>;
    case REDEMPTION_USED:
      return <StateMark tone="grey">{t("redemption.used")}</StateMark>;
    default:
      return <StateMark tone="grey">{t("status.unknown")}</StateMark>;
  }
};

/** How many have redeemed a code of several uses, and when one that ends does; nothing for a code that is as the contract has it. */
export const RedemptionBounds = ({ redemption }: { redemption: Redemption }) => {
  const { t } = useTranslation();
  const { usedCount, mostUses, expiresTime } = redemption;
  return (
    <>
      {mostUses > 1 && (
        <span className="block text-ink-3 text-xs tabular-nums wide:whitespace-nowrap">
          {t("redemption.usesOf", { used: usedCount, most: mostUses })}
        </span>
      )}
      {expiresTime > 0 && (
        <span className="block text-ink-3 text-xs tabular-nums wide:whitespace-nowrap">
          {t("redemption.until", { time: formatTime(expiresTime) })}
        </span>
      )}
    </>
  );
};
