import { ROLE_ADMIN, ROLE_ROOT, ROLE_USER, type Role } from "@tollgate/contract/values/roles";
import { USER_DISABLED, USER_ENABLED } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { Badge, StateMark } from "../../components/badge";

/** A user's role in words and colour. */
export const UserRole = ({ role }: { role: Role }) => {
  const { t } = useTranslation();
  switch (role) {
    case ROLE_USER:
      return <Badge>{t("user.role.user")}</Badge>;
    case ROLE_ADMIN:
      return <Badge tone="yellow">{t("user.role.admin")}</Badge>;
    case ROLE_ROOT:
      return <Badge tone="red">{t("user.role.root")}</Badge>;
    default:
      return <Badge>{t("user.role.unknown")}</Badge>;
  }
};

/** A user's state in words and colour. */
export const UserState = ({ status }: { status: number }) => {
  const { t } = useTranslation();
  switch (status) {
    case USER_ENABLED:
      return <StateMark tone="green">{t("user.active")}</StateMark>;
    case USER_DISABLED:
      return <StateMark tone="red">{t("user.banned")}</StateMark>;
    default:
      return <StateMark tone="grey">{t("status.unknown")}</StateMark>;
  }
};
