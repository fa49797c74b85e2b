import type { AuditEntry } from "@tollgate/contract/api/audit";
import { useTranslation } from "react-i18next";
import { ClampedText } from "../../components/clamped-text";
import type { Column } from "../../components/data-table";
import { formatTime } from "../../lib/format";
import { ActionCell, ActorCell, BeneficiaryCell } from "./audit-cells";
import { useAuditTexts } from "./use-audit-texts";

/** The columns of audit lines. */
export const useAuditColumns = (): Column<AuditEntry>[] => {
  const { t } = useTranslation();
  const { detailText } = useAuditTexts();
  return [
    {
      id: "created_at",
      label: t("field.time"),
      cell: (entry) => formatTime(entry.createdAt),
      sortBy: (entry) => entry.createdAt,
      card: "head",
      className: "wide:whitespace-nowrap",
    },
    {
      id: "action",
      label: t("audit.action"),
      cell: (entry) => <ActionCell entry={entry} />,
      sortBy: (entry) => entry.action,
      className: "max-w-72",
    },
    {
      id: "username",
      label: t("audit.by"),
      cell: (entry) => <ActorCell entry={entry} />,
      className: "wide:max-w-56",
      sortBy: (entry) => entry.username,
    },
    {
      id: "beneficiary",
      label: t("audit.beneficiary"),
      cell: (entry) => (entry.beneficiaryId === 0 ? "" : <BeneficiaryCell entry={entry} />),
      sortBy: (entry) => entry.beneficiary,
    },
    {
      id: "detail",
      label: t("audit.detail"),
      cell: (entry) => <ClampedText text={detailText(entry.detail)} />,
      className: "wide:w-2/5 wide:max-w-0",
    },
  ];
};
