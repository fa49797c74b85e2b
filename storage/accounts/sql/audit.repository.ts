import type { AuditRecord } from "@tollgate/contract/records/audit-record";
import type { Kysely } from "kysely";
import type { AuditChanges, AuditQueries } from "../ports";
import type { Tables } from "./tables";

export const auditReads = (db: Kysely<Tables>): AuditQueries => ({
  async page(offset: number, limit: number): Promise<(AuditRecord & { id: number })[]> {
    const rows = await db
      .selectFrom("audit")
      .selectAll()
      .orderBy("id", "desc")
      .offset(offset)
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      createdAt: row.created_at,
      userId: row.user_id,
      username: row.username,
      address: row.address,
      action: row.action,
      target: row.target,
      beneficiary:
        row.beneficiary_id === 0 ? undefined : { id: row.beneficiary_id, username: row.beneficiary },
      detail: row.detail,
    }));
  },
});

export const auditWrites = (db: Kysely<Tables>): AuditChanges => ({
  async add(record: AuditRecord): Promise<void> {
    await db
      .insertInto("audit")
      .values({
        created_at: record.createdAt,
        user_id: record.userId,
        username: record.username,
        address: record.address,
        action: record.action,
        target: record.target,
        beneficiary_id: record.beneficiary?.id ?? 0,
        beneficiary: record.beneficiary?.username ?? "",
        detail: record.detail,
      })
      .execute();
  },
});
