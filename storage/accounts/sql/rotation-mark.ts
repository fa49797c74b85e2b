import { type Kysely, sql } from "kysely";
import { type DataFault, DataRefused } from "../../errors";
import type { Secrets } from "../../secrets";
import type { Tables } from "./tables";

/** Sealed under the new key, so that no run continues with a third one. */
const PROBE = "tollgate";

/** Returns the mark of a rotation of the master key; undefined when none is under way. */
export const readRotation = async (db: Kysely<Tables>): Promise<string | undefined> => {
  const { rows } = await sql<{ sealed: string }>`SELECT sealed FROM key_rotation`.execute(db);
  return rows[0]?.sealed;
};

/** From here on only the rotation works with the data: a part of it is sealed under the new key. */
export const noteRotation = async (db: Kysely<Tables>, next: Secrets): Promise<void> => {
  await sql`INSERT INTO key_rotation (id, sealed) VALUES (1, ${next.seal(PROBE)})`.execute(db);
};

export const endRotation = async (db: Kysely<Tables>): Promise<void> => {
  await sql`DELETE FROM key_rotation`.execute(db);
};

/** @throws DataRefused while secrets are sealed under two keys. */
export const checkRotation = async (db: Kysely<Tables>): Promise<void> => {
  if ((await readRotation(db)) !== undefined) throw new DataRefused({ code: "key-rotation-unfinished" });
};

/** Returns the doctor's fault of an unfinished rotation. */
export const rotationFaults = async (db: Kysely<Tables>): Promise<DataFault[]> =>
  (await readRotation(db)) === undefined ? [] : [{ code: "key-rotation-unfinished" }];
