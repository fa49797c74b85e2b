import { AUDIT_ACTIONS, type AuditAction, type AuditSubject } from "@tollgate/contract/records/audit-record";
import { useTranslation } from "react-i18next";

/** Names of actions; unknown ones from a newer server keep their raw name. */
export const useAuditTexts = () => {
  const { t } = useTranslation();
  return {
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
