import { mayFavour } from "@tollgate/contract/values/favour";
import { ROLE_USER } from "@tollgate/contract/values/roles";
import type { Kysely } from "kysely";
import { StorageConflict } from "../../errors";
import type { Tables } from "./tables";

/**
 * The one place of the rule for money between people (docs/money.md#money-between-people): each entry of the ledger passes here, and
 * each step that decides about a person's money without an entry.
 * @param deciders ids of all who decide; 0 stands for a person that is not known.
 * @throws StorageConflict "favour-refused"
 */
export const checkFavour = async (
  db: Kysely<Tables>,
  deciders: readonly number[],
  beneficiaryId: number,
): Promise<void> => {
  const rows = await db
    .selectFrom("users")
    .select(["id", "role"])
    .where("id", "in", [beneficiaryId, ...deciders])
    .execute();
  const roles = new Map(rows.map(({ id, role }) => [id, role]));
  const beneficiary = roles.get(beneficiaryId);
  // An account that was deleted gains nothing.
  if (beneficiary === undefined) return;
  if (!deciders.every((id) => mayFavour(roles.get(id) ?? ROLE_USER, beneficiary)))
    throw new StorageConflict("favour-refused");
};
