import { REDEMPTION_DISABLED, REDEMPTION_UNUSED, REDEMPTION_USED } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { StateMark } from "../../components/badge";

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
