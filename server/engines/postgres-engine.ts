import { openPostgresStores } from "@tollgate/storage/postgres-stores";
import type { DatabaseSettings } from "../config";
import type { Engine, EngineSettings } from "./engine";

/** How long a node may be silent before its leases go back (docs/decisions/0013-leases.md). */
const NODE_LIFE_MS = 10_000;

/**
 * One of several nodes, with their data in a database.
 * @throws DatabaseRefused that says why not.
 */
export const openPostgresEngine = async (
  database: DatabaseSettings,
  settings: EngineSettings,
): Promise<Engine> => {
  const { charges, feed, readInOrder, ...stores } = await openPostgresStores({
    ...database,
    ...settings,
    nodeLifeMs: NODE_LIFE_MS,
  });
  const shared = { feed, readInOrder };
  // Until it is in the database as a node it knows of no other.
  return { stores, charges, shared, livePlace: () => ({ nodes: 1, place: 0 }) };
};
