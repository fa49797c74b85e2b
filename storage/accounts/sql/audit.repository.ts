import { AUDIT_SORTS } from "@tollgate/contract/api/audit";
import type { Kysely } from "kysely";
import { columnsOf, fieldsOf } from "../../sql/row-names";
import { nameColumn, readPage, storedColumns } from "../../sql/sort-rows";
import type { AuditChanges, AuditFilter, AuditQueries } from "../site-ports";
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
    .$if(to > 0, (query) => query.where("created_at", "<=", to));
};

const SORT_COLUMNS = {
  ...storedColumns(AUDIT_SORTS),
  username: nameColumn("username"),
  beneficiary: nameColumn("beneficiary"),
};

export const auditReads = (db: Kysely<Tables>): AuditQueries => ({
  async page(filter, offset, limit, sort) {
    const rows = await readPage(lines(db, filter), sort, SORT_COLUMNS, { offset, limit });
    return rows.map(({ beneficiary_id: id, beneficiary: username, ...row }) => ({
      ...fieldsOf(row),
      beneficiary: id === 0 ? undefined : { id, username },
    }));
  },
});

export const auditWrites = (db: Kysely<Tables>): AuditChanges => ({
  async add(record) {
    const { beneficiary: { id, username } = { id: 0, username: "" }, ...fields } = record;
    const columns = { ...columnsOf(fields), beneficiary_id: id, beneficiary: username };
    await db.insertInto("audit").values(columns).execute();
  },
});
