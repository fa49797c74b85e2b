import { openPool, type PoolUse } from "../../postgres/connection-pool";
import { migrateDatabase } from "../../postgres/migrate";
import { queryBuilder } from "../../postgres/query-builder";
import { repeating } from "../../postgres/repeat-transaction";
import type { BodySteps } from "../ports";
import type { Tables } from "../sql/bodies-schema";
import { createBodySealer } from "../stored-body";
import { bodyRepository } from "./bodies.repository";
import { BODIES_MIGRATIONS } from "./migrations";

/** Later queries must see stored bodies: one connection does it in the order of the calls. */
const CONNECTIONS = 1;
/** How long a statement may take: making room counts all rows. */
const STATEMENT_MS = 60_000;

/** Stored bodies of a database. */
export interface OpenBodies {
  bodies: BodySteps;
  /** The connections that there are now. */
  connections(): PoolUse;
  /** Closes the connections after running operations end. */
  close(): Promise<void>;
}

/**
 * Opens the stored bodies of a database, and brings it to the newest schema.
 * @param reportError called when that has to wait.
 * @throws DatabaseRefused that says why not.
 */
export const openBodies = async (
  address: string,
  masterKey: Uint8Array,
  reportError?: (error: Error) => void,
): Promise<OpenBodies> => {
  await migrateDatabase(address, "bodies", BODIES_MIGRATIONS, reportError);
  const pool = openPool(address, CONNECTIONS, STATEMENT_MS);
  const bodies = bodyRepository(queryBuilder<Tables>(pool), createBodySealer(masterKey));
  return { ...repeating({ bodies }), connections: () => pool.use, close: () => pool.end() };
};
