import {
  TOKEN_DISABLED,
  TOKEN_ENABLED,
  TOKEN_EXHAUSTED,
  TOKEN_EXPIRED,
} from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { StateMark } from "../../components/badge";

/** A token's state in words and colour. */
export const ApiKeyState = ({ status }: { status: number }) => {
  const { t } = useTranslation();
  switch (status) {
    case TOKEN_ENABLED:
      return <StateMark tone="green">{t("status.enabled")}</StateMark>;
    case TOKEN_DISABLED:
      return <StateMark tone="red">{t("status.disabled")}</StateMark>;
    case TOKEN_EXPIRED:
      return <StateMark tone="yellow">{t("status.expired")}</StateMark>;
    case TOKEN_EXHAUSTED:
      return <StateMark tone="grey">{t("status.exhausted")}</StateMark>;
    default:
      return <StateMark tone="grey">{t("status.unknown")}</StateMark>;
  }
};
