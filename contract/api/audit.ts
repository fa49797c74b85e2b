import { endpoint, PAGE_PARAMETER } from "../resource/endpoint";
import { int, text } from "../resource/fields";
import { listOf, resource, type ValueOf } from "../resource/resource";

/** A line of the audit log: what an administrator changed. Beyond the contract. */
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

export const listAudit = endpoint({
  method: "GET",
  path: "/api/audit",
  guard: "root",
  summary: "A page of what administrators changed, without secrets",
  query: PAGE_PARAMETER,
  data: listOf(auditEntry),
  reads: "audit",
});
