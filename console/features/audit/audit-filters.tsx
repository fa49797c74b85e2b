import { AUDIT_SUBJECTS } from "@tollgate/contract/records/audit-record";
import { useTranslation } from "react-i18next";
import { FilterForm } from "../../components/filter-form";
import { SPAN_FIELDS } from "../../components/filter-input";
import { userSource } from "../../lib/suggestions";
import { type AuditSearch, NO_FILTER } from "./audit-search";
import { actionsOn, useAuditTexts } from "./use-audit-texts";

interface AuditFiltersProps {
  search: AuditSearch;
  onFilter: (filter: AuditSearch) => void;
}

/** The filters of the audit log. */
export const AuditFilters = ({ search, onFilter }: AuditFiltersProps) => {
  const { t } = useTranslation();
  const { actionText, subjectText } = useAuditTexts();
  const actions = AUDIT_SUBJECTS.map((subject) => ({
    label: subjectText(subject),
    options: [
      { value: subject as string, label: t("audit.allOf", { subject: subjectText(subject) }) },
      ...actionsOn(subject).map((action) => ({ value: action, label: actionText(action) })),
    ],
  }));
  return (
    <FilterForm
      search={search}
      none={NO_FILTER}
      onFilter={onFilter}
      fields={[
        { kind: "choice", name: "action", label: t("audit.action"), options: actions },
        { kind: "text", name: "target", label: t("audit.target") },
        { kind: "record", name: "username", label: t("audit.by"), source: userSource },
        { kind: "record", name: "beneficiary", label: t("audit.beneficiary"), source: userSource },
        ...SPAN_FIELDS,
      ]}
    />
  );
};
