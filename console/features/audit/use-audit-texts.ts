import { AUDIT_ACTIONS, type AuditAction, type AuditSubject } from "@tollgate/contract/records/audit-record";
import { useTranslation } from "react-i18next";
import { detailText } from "./detail-text";

/** Names of actions and changed fields; unknown ones from a newer server keep their raw name. */
export const useAuditTexts = () => {
  const { t, i18n } = useTranslation();
  const words = {
    fieldText(name: string): string {
      const key = `audit.fields.${name}`;
      return i18n.exists(key) ? t(key as "audit.fields.name") : name;
    },
    yes: t("audit.value.yes"),
    no: t("audit.value.no"),
    never: t("audit.value.never"),
    removed: t("audit.value.removed"),
  };
  return {
    detailText: (detail: string): string => detailText(detail, words),
    actionText(action: string): string {
      const known = AUDIT_ACTIONS.find((each) => each === action);
      return known ? t(`audit.actions.${known}`) : action;
    },
    subjectText: (subject: AuditSubject): string => t(`audit.subjects.${subject}`),
  };
};

/** The actions on one subject. */
export const actionsOn = (subject: AuditSubject): AuditAction[] =>
  AUDIT_ACTIONS.filter((action) => action.startsWith(`${subject}.`));
