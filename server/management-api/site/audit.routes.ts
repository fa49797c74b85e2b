import { AUDIT_SORTS, listAudit } from "@tollgate/contract/api/audit";
import { AUDIT_ACTIONS, AUDIT_SUBJECTS } from "@tollgate/contract/records/audit-record";
import type { AuditFilter } from "@tollgate/storage/accounts/site-ports";
import { readMaybeChoice } from "../read-choice";
import { implement, readInteger, readListPage } from "../route";

const ACTIONS_AND_SUBJECTS = [...AUDIT_ACTIONS, ...AUDIT_SUBJECTS];

/** @throws Failure for an unknown action. */
const readFilter = (query: Readonly<Record<string, string | undefined>>): AuditFilter => ({
  action: readMaybeChoice(ACTIONS_AND_SUBJECTS, query.action),
  target: query.target,
  username: query.username,
  beneficiary: query.beneficiary,
  from: readInteger(query.start_timestamp),
  to: readInteger(query.end_timestamp),
});

/** Changes by administrators. */
export const auditRoutes = [
  implement(listAudit, async ({ services, query }) => {
    const page = readListPage(query, AUDIT_SORTS);
    const entries = await services.storage.read.audit.page(readFilter(query), ...page);
    return entries.map(({ beneficiary, ...entry }) => ({
      ...entry,
      beneficiaryId: beneficiary?.id ?? 0,
      beneficiary: beneficiary?.username ?? "",
    }));
  }),
];
