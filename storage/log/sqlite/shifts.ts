import type { Connection } from "../../sqlite/connection";
import { inTransaction } from "../../sqlite/in-transaction";
import { dayOf, HOUR_SECONDS, SHIFT_SECONDS } from "../hours";
import { BLOCK_TABLES, blockOf } from "./blocks";
import { readState, writeState } from "./log-state";
import { SUM_COLUMNS } from "./usage-sums";

/** How long after its end a shift is added up: what comes later is added to it one by one. */
const GRACE_SECONDS = HOUR_SECONDS;

const COLUMNS = SUM_COLUMNS.join(", ");
const SUMS = SUM_COLUMNS.map((column) => `sum(${column})`).join(", ");
const ADDITION = SUM_COLUMNS.map((column) => `${column} = ${column} + excluded.${column}`).join(", ");

/** Adds a shift to the tables of blocks. Days (UTC) are made of whole shifts. */
const addUp = (connection: Connection, shift: number): void => {
  const end = shift + SHIFT_SECONDS;
  const ofHours = `day = ${dayOf(shift)} AND hour >= ${shift} AND hour < ${end}`;
  for (const { table, block, seconds, keys, from } of BLOCK_TABLES) {
    const list = keys.join(", ");
    connection.exec(
      `INSERT INTO ${table} (${block}, ${list}, ${COLUMNS})
       SELECT ${blockOf(shift, seconds)}, ${list}, ${SUMS} FROM ${from}
       WHERE ${from.endsWith("_hours") ? ofHours : `shift = ${shift}`} GROUP BY ${list}
       ON CONFLICT DO UPDATE SET ${ADDITION}`,
    );
  }
};

/** The first shift from a moment on in which there is something; undefined for none. */
const nextShift = (connection: Connection, from: number): number | undefined => {
  const { hour } = connection
    .prepare("SELECT min(hour) AS hour FROM site_hours WHERE hour >= ?")
    .get(from) as { hour: number | null };
  return hour === null ? undefined : blockOf(hour, SHIFT_SECONDS);
};

/**
 * Adds up the first shift that has ended and was not added up yet.
 * @param now unix seconds.
 * @returns false when there is none.
 */
export const closeShift = (connection: Connection, now: number): boolean =>
  inTransaction(connection, () => {
    const shift = nextShift(connection, readState(connection, "shifts-until"));
    if (shift === undefined || shift >= blockOf(now - GRACE_SECONDS, SHIFT_SECONDS)) return false;
    addUp(connection, shift);
    writeState(connection, "shifts-until", shift + SHIFT_SECONDS);
    return true;
  });

/** Forgets what was added up, so that all of it is added up anew; within a transaction of the caller. */
export const reopenShifts = (connection: Connection): void => {
  for (const { table } of BLOCK_TABLES) connection.exec(`DELETE FROM ${table}`);
  writeState(connection, "shifts-until", 0);
};
