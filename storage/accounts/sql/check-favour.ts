import { mayFavour } from "@tollgate/contract/values/favour";
import { ROLE_USER } from "@tollgate/contract/values/roles";
import type { Kysely } from "kysely";
import { StorageConflict } from "../../errors";
import type { Tables } from "./tables";

/** Whether all deciders may favour a beneficiary (`checkFavour`), where a step goes on without the money otherwise. */
export const mayAllFavour = async (
  db: Kysely<Tables>,
  deciders: readonly number[],
  beneficiaryId: number,
): Promise<boolean> => {
  const rows = await db
    .selectFrom("users")
    .select(["id", "role"])
    .where("id", "in", [beneficiaryId, ...deciders])
    .execute();
  const roles = new Map(rows.map(({ id, role }) => [id, role]));
  const beneficiary = roles.get(beneficiaryId);
  // A deleted account gains nothing.
  if (beneficiary === undefined) return true;
  return deciders.every((id) => mayFavour(roles.get(id) ?? ROLE_USER, beneficiary));
};

/**
 * Applies the rule for money between people (docs/money.md#money-between-people). Every entry of the ledger passes here, and every step
 * that decides about a person's money without an entry.
 * @param deciders ids of all persons who decide; 0 for an unknown person.
 * @throws StorageConflict "favour-refused"
 */
export const checkFavour = async (
  db: Kysely<Tables>,
  deciders: readonly number[],
  beneficiaryId: number,
): Promise<void> => {
  if (!(await mayAllFavour(db, deciders, beneficiaryId))) throw new StorageConflict("favour-refused");
};
