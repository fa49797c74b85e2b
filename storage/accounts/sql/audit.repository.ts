import { AUDIT_SORTS } from "@tollgate/contract/api/audit";
import { MAX_KEY_CHANGES } from "@tollgate/contract/records/audit-record";
import type { Kysely } from "kysely";
import { columnsOf, fieldsOf } from "../../sql/row-names";
import { nameColumn, readPage, storedColumns } from "../../sql/sort-rows";
import type { AuditChanges, AuditFilter, AuditQueries, StoredAuditRecord } from "../site-ports";
import type { Row, Tables } from "./tables";

/** Lines that a filter leaves. */
const lines = (db: Kysely<Tables>, filter: AuditFilter) => {
  const {
    action = "",
    target = "",
    username = "",
    beneficiary = "",
    beneficiaryId,
    from = 0,
    to = 0,
  } = filter;
  return db
    .selectFrom("audit")
    .selectAll()
    .$if(action !== "", (query) =>
      query.where((eb) => eb.or([eb("action", "=", action), eb("action", "like", `${action}.%`)])),
    )
    .$if(target !== "", (query) => query.where("target", "=", target))
    .$if(username !== "", (query) => query.where("username", "=", username))
    .$if(beneficiary !== "", (query) => query.where("beneficiary", "=", beneficiary))
    .$if(beneficiaryId !== undefined, (query) => query.where("beneficiary_id", "=", beneficiaryId ?? 0))
    .$if(from > 0, (query) => query.where("created_at", ">=", from))
    .$if(to > 0, (query) => query.where("created_at", "<=", to));
};

const SORT_COLUMNS = {
  ...storedColumns(AUDIT_SORTS),
  username: nameColumn("username"),
  beneficiary: nameColumn("beneficiary"),
};

const toRecord = ({
  beneficiary_id: id,
  beneficiary: username,
  ...row
}: Row<"audit">): StoredAuditRecord => ({
  ...fieldsOf(row),
  beneficiary: id === 0 ? undefined : { id, username },
});

export const auditReads = (db: Kysely<Tables>): AuditQueries => ({
  async page(filter, offset, limit, sort) {
    return (await readPage(lines(db, filter), sort, SORT_COLUMNS, { offset, limit })).map(toRecord);
  },

  async before(filter, id, limit) {
    const below = lines(db, filter).where("id", "<", id);
    return (await below.orderBy("id", "desc").limit(limit).execute()).map(toRecord);
  },
});

/** Lines between two removals of old ones: counting them takes longer than adding one. */
const REMOVAL_STEP = 64;

/** Removes all but the newest lines about a user's keys. */
const removeOldKeyChanges = async (db: Kysely<Tables>, userId: number): Promise<void> => {
  const ofKeys = db
    .selectFrom("audit")
    .select("id")
    .where("beneficiary_id", "=", userId)
    .where("action", "like", "token.%")
    .orderBy("id", "desc");
  const oldest = await ofKeys.offset(MAX_KEY_CHANGES).limit(1).executeTakeFirst();
  if (oldest)
    await db
      .deleteFrom("audit")
      .where("beneficiary_id", "=", userId)
      .where("action", "like", "token.%")
      .where("id", "<=", oldest.id)
      .execute();
};

export const auditWrites = (db: Kysely<Tables>): AuditChanges => ({
  async add(record) {
    const { beneficiary: { id, username } = { id: 0, username: "" }, ...fields } = record;
    const columns = { ...columnsOf(fields), beneficiary_id: id, beneficiary: username };
    const added = await db.insertInto("audit").values(columns).returning("id").executeTakeFirstOrThrow();
    if (record.action.startsWith("token.") && added.id % REMOVAL_STEP === 0)
      await removeOldKeyChanges(db, id);
  },

  async removeBefore(before, limit) {
    const { numDeletedRows } = await db
      .deleteFrom("audit")
      .where("id", "in", (eb) =>
        eb.selectFrom("audit").select("id").where("created_at", "<", before).orderBy("id").limit(limit),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
});
