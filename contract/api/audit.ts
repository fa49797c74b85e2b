import { AUDIT_SUBJECTS } from "../records/audit-record";
import { endpoint, PAGE_PARAMETER, SORT_PARAMETER } from "../resource/endpoint";
import { int, text } from "../resource/fields";
import { CLOCK_PARAMETERS } from "../resource/file-parameters";
import { listOf, resource, type ValueOf } from "../resource/resource";

/** A line of the audit log: one change by an administrator, or of a key by its owner. Beyond the contract. */
export const auditEntry = resource({
  id: int("id"),
  createdAt: int("created_at"),
  userId: int("user_id"),
  username: text("username"),
  address: text("address"),
  action: text("action"),
  target: text("target"),
  /** The person whose account, money or price it concerns; 0 and "" for none. */
  beneficiaryId: int("beneficiary_id"),
  beneficiary: text("beneficiary"),
  detail: text("detail"),
});
export type AuditEntry = ValueOf<typeof auditEntry>;

export const AUDIT_PARAMETERS = {
  action: `Only one action (\`user.update\`), or all that were done to one kind of thing: ${AUDIT_SUBJECTS.map((name) => `\`${name}\``).join(", ")}.`,
  target: "Only changes of the object with this name or number.",
  username: "Only changes by the user of this name; the name at that time counts.",
  beneficiary: "Only changes that concern the user of this name; the name at that time counts.",
  start_timestamp: "Unix seconds, inclusive.",
  end_timestamp: "Unix seconds, inclusive.",
} as const;

/** Sortable columns of the audit: names as they were at that time. */
export const AUDIT_SORTS = ["created_at", "action", "username", "beneficiary"] as const;
export type AuditSort = (typeof AUDIT_SORTS)[number];

export const listAudit = endpoint({
  method: "GET",
  path: "/api/audit",
  guard: "root",
  summary: "A page of the changes by administrators and of keys, without secrets, the newest first",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER, ...AUDIT_PARAMETERS },
  sorts: AUDIT_SORTS,
  data: listOf(auditEntry),
  reads: "audit",
});

export const exportAudit = endpoint({
  method: "GET",
  path: "/api/audit/export",
  guard: "root",
  summary: "All lines of the audit that match a filter, as a file, the newest first",
  query: { ...CLOCK_PARAMETERS, ...AUDIT_PARAMETERS },
  isFile: true,
});

/** Sortable columns of a key's changes. */
export const KEY_CHANGE_SORTS = ["created_at", "action"] as const;

export const listKeyChanges = endpoint({
  method: "GET",
  path: "/api/token/:id/changes",
  guard: "user",
  summary: "A page of the changes of one's key, or of a key visible to the administrator, the newest first",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER },
  sorts: KEY_CHANGE_SORTS,
  data: listOf(auditEntry),
  reads: "audit",
});
