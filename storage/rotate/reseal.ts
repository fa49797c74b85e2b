import { type Kysely, sql } from "kysely";
import { SEALED_COLUMNS, type SealedColumn } from "../accounts/sql/sealed-columns";
import type { Tables } from "../accounts/sql/tables";
import { createBodySealer } from "../bodies/stored-body";
import { createSecrets, SealBroken, SealUnknown, type Secrets } from "../secrets";

/** The key under which data is stored, and the one under which it is to be. */
export interface KeyPair {
  readonly old: Uint8Array;
  readonly next: Uint8Array;
}

/** Called before each step that changes something; @throws to end there. @param sealed how many secrets are sealed again. */
export type OnStep = (sealed: number) => void;

export interface Resealed {
  /** Sealed under the new key now, by this run or one of before. */
  sealed: number;
  /** Neither key opens it: it was of no use before, and is as it was. */
  broken: number;
}

/** Rows of one transaction. */
const ROWS = 200;
const BODIES = 20;
/** A file has some megabytes. */
const FILES = 4;

/** @returns the opened value; undefined when the key does not open it. */
const tryOpen = <T>(open: () => T): T | undefined => {
  try {
    return open();
  } catch (error) {
    if (error instanceof SealBroken || error instanceof SealUnknown) return undefined;
    throw error;
  }
};

interface Row {
  id: string | number;
  sealed: string;
}

const resealColumn = async (
  db: Kysely<Tables>,
  { table, id, column, where, hash, isLarge }: SealedColumn,
  old: Secrets,
  next: Secrets,
  result: Resealed,
  onStep: OnStep,
): Promise<void> => {
  for (let last: string | number | undefined; ; ) {
    const isLater = last === undefined ? sql`` : sql`AND ${sql.ref(id)} > ${last}`;
    const { rows } =
      await sql<Row>`SELECT ${sql.ref(id)} AS id, ${sql.ref(column)} AS sealed FROM ${sql.table(table)}
      WHERE ${sql.raw(where)} ${isLater} ORDER BY ${sql.ref(id)} LIMIT ${isLarge ? FILES : ROWS}`.execute(db);
    if (rows.length === 0) return;
    onStep(result.sealed);
    await db.transaction().execute(async (transaction) => {
      for (const row of rows) {
        if (tryOpen(() => next.open(row.sealed)) !== undefined) {
          result.sealed += 1;
          continue;
        }
        const text = tryOpen(() => old.open(row.sealed));
        if (text === undefined) {
          result.broken += 1;
          continue;
        }
        const hashed = hash ? sql`, ${sql.ref(hash.column)} = ${hash.of(text, next)}` : sql``;
        await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${next.seal(text)} ${hashed}
          WHERE ${sql.ref(id)} = ${row.id}`.execute(transaction);
        result.sealed += 1;
      }
    });
    last = rows.at(-1)?.id;
  }
};

/** Seals all secrets of the accounts again. Each step is atomic; texts that are sealed again already are left alone. */
export const resealAccounts = async (
  db: Kysely<Tables>,
  keys: KeyPair,
  onStep: OnStep,
): Promise<Resealed> => {
  const [old, next] = [createSecrets(keys.old), createSecrets(keys.next)];
  const result = { sealed: 0, broken: 0 };
  for (const column of SEALED_COLUMNS) await resealColumn(db, column, old, next, result, onStep);
  onStep(result.sealed);
  // Codes that were mailed are known by hashes alone: who has one asks for another.
  await sql`DELETE FROM verifications`.execute(db);
  // Networks are known by hashes alone: under the new key each one would be new to its API key.
  await sql`DELETE FROM key_networks`.execute(db);
  // The same of former users, who are as new under the next key.
  await sql`DELETE FROM former_identities`.execute(db);
  return result;
};

interface BodyRow {
  id: number;
  sealed: Uint8Array;
}

/** Seals stored bodies again, likewise. @param db of the store that has the table of bodies. */
export const resealBodies = async (db: Kysely<unknown>, keys: KeyPair, onStep: OnStep): Promise<Resealed> => {
  const old = createBodySealer(keys.old);
  const next = createBodySealer(keys.next);
  const result = { sealed: 0, broken: 0 };
  for (let last = 0; ; ) {
    const { rows } = await sql<BodyRow>`
      SELECT id, sealed FROM bodies WHERE id > ${last} ORDER BY id LIMIT ${BODIES}`.execute(db);
    if (rows.length === 0) return result;
    onStep(result.sealed);
    await db.transaction().execute(async (transaction) => {
      for (const { id, sealed } of rows) {
        const bytes = new Uint8Array(sealed);
        if (tryOpen(() => next.open(bytes)) !== undefined) {
          result.sealed += 1;
          continue;
        }
        const body = tryOpen(() => old.open(bytes));
        if (body === undefined) {
          result.broken += 1;
          continue;
        }
        await sql`UPDATE bodies SET sealed = ${next.seal(body)} WHERE id = ${id}`.execute(transaction);
        result.sealed += 1;
      }
    });
    last = rows.at(-1)?.id ?? last;
  }
};
