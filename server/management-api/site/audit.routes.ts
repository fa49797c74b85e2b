import {
  AUDIT_SORTS,
  type AuditEntry,
  KEY_CHANGE_SORTS,
  listAudit,
  listKeyChanges,
} from "@tollgate/contract/api/audit";
import { AUDIT_ACTIONS, AUDIT_SUBJECTS } from "@tollgate/contract/records/audit-record";
import { ROLE_ADMIN } from "@tollgate/contract/values/roles";
import type { AuditFilter, StoredAuditRecord } from "@tollgate/storage/accounts/site-ports";
import { Failure } from "../failure";
import { readMaybeChoice } from "../read-choice";
import { implement, readInteger, readListPage } from "../route";
import { findVisibleKey } from "../users/find-visible-user";

const ACTIONS_AND_SUBJECTS = [...AUDIT_ACTIONS, ...AUDIT_SUBJECTS];

/** The filter of a list of changes. @throws Failure for an unknown action. */
export const readAuditFilter = (query: Readonly<Record<string, string | undefined>>): AuditFilter => ({
  action: readMaybeChoice(ACTIONS_AND_SUBJECTS, query.action),
  target: query.target,
  username: query.username,
  beneficiary: query.beneficiary,
  from: readInteger(query.start_timestamp),
  to: readInteger(query.end_timestamp),
});

/** A line as answers and files have it. */
export const toAuditEntry = ({ beneficiary, ...entry }: StoredAuditRecord): AuditEntry => ({
  ...entry,
  beneficiaryId: beneficiary?.id ?? 0,
  beneficiary: beneficiary?.username ?? "",
});

/** Changes by administrators, and of keys. */
export const auditRoutes = [
  implement(listAudit, async ({ services, query }) => {
    const page = readListPage(query, AUDIT_SORTS);
    const entries = await services.storage.read.audit.page(readAuditFilter(query), ...page);
    return entries.map(toAuditEntry);
  }),

  implement(listKeyChanges, async ({ services, caller, params, query, permits }) => {
    const key = services.accounts.keys.findById(params.id);
    const isOwn = key?.user.id === caller.id;
    if (!isOwn && (caller.role < ROLE_ADMIN || !permits("users", "read")))
      throw new Failure("record-not-found");
    const { user } = isOwn ? key : findVisibleKey(services, caller, params.id);
    const filter = { action: "token", target: String(params.id), beneficiaryId: user.id } as const;
    const page = readListPage(query, KEY_CHANGE_SORTS);
    const entries = await services.storage.read.audit.page(filter, ...page);
    return entries.map(toAuditEntry);
  }),
];
