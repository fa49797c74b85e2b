import { addUses, openPool, type PoolUse, reachPool } from "../../postgres/connection-pool";
import { queryBuilder } from "../../postgres/query-builder";
import { repeating } from "../../postgres/repeat-transaction";
import { bookBatches } from "../book-batch";
import type { Leases, NodeQueries } from "../node-ports";
import type { Tables } from "../sql/tables";
import { refundWrites } from "./lease-charges.repository";
import { type Announce, leaseWrites } from "./leases.repository";
import { nodeQueries, nodeWrites } from "./nodes.repository";
import { type OpenBookings, openBookings } from "./open-bookings";

/** Wishes of several accounts at once. */
const CONNECTIONS = 3;
/** Statement timeout: a call without an answer is repeated. */
const STATEMENT_MS = 10_000;
/** How long one waits for a lock: a transaction that keeps an account locked must not keep the connections from all others. */
const LOCK_MS = 500;

/** Operations of nodes on shared accounts, on separate connections: none of them waits for a change. */
export interface OpenLeases {
  leases: Leases;
  nodes: NodeQueries;
  /** The connections that there are now. */
  connections(): PoolUse;
  /** Closes the connections after running operations end. */
  close(): Promise<void>;
}

/**
 * Opens the leases of a database whose accounts were opened.
 * @param nodeLifeMs how long a node may be silent. @param announce puts a recall into the change feed.
 * @param charging where batches of charges are booked; it is closed with the leases.
 */
export const openLeases = (
  address: string,
  nodeLifeMs: number,
  announce: Announce,
  charging: OpenBookings = openBookings(address),
): OpenLeases => {
  const pool = openPool(address, CONNECTIONS, STATEMENT_MS, LOCK_MS);
  const db = queryBuilder<Tables>(pool);
  // Renewals wait for nothing else: while wishes and charges wait for a lock, the node keeps its leases.
  const signs = openPool(address, 1, STATEMENT_MS);
  const ofSigns = nodeWrites(queryBuilder<Tables>(signs), nodeLifeMs);
  const reach = () => Promise.all([reachPool(pool), charging.bookings.reach()]);
  const leases: Leases = {
    ...nodeWrites(db, nodeLifeMs),
    async join(about) {
      await reach();
      return ofSigns.join(about);
    },
    async renew(epoch, about) {
      const renewed = await ofSigns.renew(epoch, about);
      await reach();
      return renewed;
    },
    ...leaseWrites(db, announce),
    ...refundWrites(db),
    book: bookBatches(charging.bookings),
  };
  return {
    ...repeating({ leases }),
    nodes: nodeQueries(db),
    connections: () => addUses([pool.use, signs.use, charging.connections()]),
    async close() {
      await pool.end();
      await signs.end();
      await charging.close();
    },
  };
};
