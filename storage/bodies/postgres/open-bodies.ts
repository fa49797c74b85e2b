import { openPool } from "../../postgres/connection-pool";
import { migrate } from "../../postgres/migrate";
import { queryBuilder } from "../../postgres/query-builder";
import { repeating } from "../../postgres/repeat-transaction";
import type { BodySteps } from "../ports";
import { createBodySealer } from "../stored-body";
import { bodyRepository, type Tables } from "./bodies.repository";
import { BODIES_MIGRATIONS } from "./migrations/migrations";

/** What is stored is seen by whoever asks later: one connection does it in the order of the calls. */
const CONNECTIONS = 1;

/**
 * Opens the stored bodies of a database, and brings it to the newest schema.
 * @throws DatabaseRefused that says why not.
 */
export const openBodies = async (
  address: string,
  masterKey: Uint8Array,
): Promise<{ bodies: BodySteps; close(): Promise<void> }> => {
  const pool = openPool(address, CONNECTIONS);
  try {
    await migrate(queryBuilder(pool), pool.destination, "bodies", BODIES_MIGRATIONS);
    const bodies = bodyRepository(queryBuilder<Tables>(pool), createBodySealer(masterKey));
    return { ...repeating({ bodies }), close: () => pool.end() };
  } catch (error) {
    await pool.end();
    throw error;
  }
};
