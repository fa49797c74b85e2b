import type { AuditRecord } from "@tollgate/contract/records/audit-record";
import type { Kysely } from "kysely";
import type { AuditChanges, AuditFilter, AuditQueries, StoredAuditRecord } from "../ports";
import type { Tables } from "./tables";

/** Lines that a filter leaves. */
const lines = (db: Kysely<Tables>, filter: AuditFilter) => {
  const { action = "", target = "", username = "", beneficiary = "", from = 0, to = 0 } = filter;
  return db
    .selectFrom("audit")
    .selectAll()
    .$if(action !== "", (query) =>
      query.where((eb) => eb.or([eb("action", "=", action), eb("action", "like", `${action}.%`)])),
    )
    .$if(target !== "", (query) => query.where("target", "=", target))
    .$if(username !== "", (query) => query.where("username", "=", username))
    .$if(beneficiary !== "", (query) => query.where("beneficiary", "=", beneficiary))
    .$if(from > 0, (query) => query.where("created_at", ">=", from))
    .$if(to > 0, (query) => query.where("created_at", "<=", to))
    .orderBy("id", "desc");
};

export const auditReads = (db: Kysely<Tables>): AuditQueries => ({
  async page(filter: AuditFilter, offset: number, limit: number): Promise<StoredAuditRecord[]> {
    const rows = await lines(db, filter).offset(offset).limit(limit).execute();
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
