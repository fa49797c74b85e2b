import { openPool, type PoolUse, reachPool } from "../../postgres/connection-pool";
import { queryBuilder } from "../../postgres/query-builder";
import { repeating } from "../../postgres/repeat-transaction";
import type { Bookings } from "../node-ports";
import type { Tables } from "../sql/tables";
import { bookingWrites } from "./lease-charges.repository";

/** A batch, and one that is sent again because the first is not answered. */
const CONNECTIONS = 2;
/** Statement timeout: a call without an answer is repeated. */
const STATEMENT_MS = 10_000;
/** How long a batch waits for a lock: then those whose rows are locked are set apart, and the others go on. */
const LOCK_MS = 500;

/** Where batches of charges are booked, on connections of their own. */
export interface OpenBookings {
  bookings: Bookings;
  /** The connections that there are now. */
  connections(): PoolUse;
  /** Closes the connections after running operations end. */
  close(): Promise<void>;
}

/** Opens the bookings of a database whose accounts were opened. */
export const openBookings = (address: string): OpenBookings => {
  const pool = openPool(address, CONNECTIONS, STATEMENT_MS, LOCK_MS);
  const bookings = { ...bookingWrites(queryBuilder<Tables>(pool)), reach: () => reachPool(pool) };
  return {
    ...repeating({ bookings }),
    connections: () => pool.use,
    close: () => pool.end(),
  };
};
