import { type Kysely, sql } from "kysely";
import { hasMasterKey } from "../accounts/sql/has-master-key";
import { endRotation, noteRotation, readRotation } from "../accounts/sql/rotation-mark";
import type { Tables } from "../accounts/sql/tables";
import { DataRefused } from "../errors";
import { createSecrets, SealBroken } from "../secrets";
import { type KeyPair, type OnStep, type Resealed, resealAccounts, resealBodies } from "./reseal";

export interface RotationTools {
  /** Called when no other process works with the data, before anything is changed. @throws Error where there are no such keys. */
  openKeys(): KeyPair;
  /** Makes the new key the one that the next start takes; called when everything is sealed under it. May be called again. */
  switchKeys(): void;
  onStep: OnStep;
}

/** Where secrets are. */
export interface RotatedStores {
  accounts: Kysely<Tables>;
  /** Where there are stored bodies. */
  bodies: Kysely<unknown> | undefined;
  /** More queries of sealed columns in the accounts. */
  probes: readonly string[];
}

const opensWith = (sealed: string, key: Uint8Array): boolean => {
  try {
    createSecrets(key).open(sealed);
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
};

/**
 * Notes that a rotation is under way, unless it was before.
 * @returns false where everything is stored under the new key already. @throws DataRefused where the keys are others.
 */
export const beginRotation = async (
  { accounts, probes }: RotatedStores,
  keys: KeyPair,
  { onStep }: RotationTools,
): Promise<boolean> => {
  const mark = await readRotation(accounts);
  if (mark !== undefined) {
    if (!opensWith(mark, keys.next)) throw new DataRefused({ code: "key-rotation-other" });
    return true;
  }
  if (!(await hasMasterKey(accounts, createSecrets(keys.old), probes))) {
    if (await hasMasterKey(accounts, createSecrets(keys.next), probes)) return false;
    throw new DataRefused({ code: "other-master-key" });
  }
  onStep(0);
  await noteRotation(accounts, createSecrets(keys.next));
  return true;
};

/** Seals everything again, and ends the rotation. Continues an interrupted one. */
export const finishRotation = async (
  { accounts, bodies, probes }: RotatedStores,
  keys: KeyPair,
  { switchKeys, onStep }: RotationTools,
): Promise<Resealed> => {
  const ofAccounts = await resealAccounts(accounts, keys, onStep);
  const { sealed, broken } = ofAccounts;
  const ofBodies = bodies
    ? await resealBodies(bodies, keys, (count) => onStep(sealed + count))
    : { sealed: 0, broken: 0 };
  const all = { sealed: sealed + ofBodies.sealed, broken: broken + ofBodies.broken };
  if (probes.length > 0)
    await sql`UPDATE master_key_probe SET sealed = ${createSecrets(keys.next).seal("tollgate")}`.execute(
      accounts,
    );
  switchKeys();
  onStep(all.sealed);
  await endRotation(accounts);
  return all;
};
