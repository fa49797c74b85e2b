import type { NodeReport } from "@tollgate/contract/api/nodes";
import { NODE_LIFE_MS } from "@tollgate/metering/leases/liveness";
import { openPostgresStores } from "@tollgate/storage/postgres-stores";
import { startBookings } from "@tollgate/storage/threads/start-bookings";
import { startPostgresLog } from "@tollgate/storage/threads/start-postgres-log";
import type { DatabaseSettings } from "../config";
import { createLeasing } from "../leases/create-leasing";
import { feedLagMs } from "../state/feed-lag";
import { sharedNodes } from "../state/known-nodes";
import type { Engine, EngineSettings } from "./engine";

/**
 * Opens one of several nodes, with the data in a database.
 * @param workers the built scripts of the threads for the log, and for booking charges.
 * @throws DatabaseRefused with the reason.
 */
export const openPostgresEngine = async (
  database: DatabaseSettings,
  workers: { log: string; bookings: string },
  settings: EngineSettings,
): Promise<Engine> => {
  const { leases, storeFailures, nodes, connections, feed, readInOrder, ...stores } =
    await openPostgresStores({
      ...database,
      ...settings,
      nodeLifeMs: NODE_LIFE_MS,
      openLog: (log, reportError) => startPostgresLog(workers.log, log, reportError),
      openBookings: (address, reportError) => startBookings(workers.bookings, address, reportError),
    });
  const about = (): NodeReport => {
    const { open, waiting } = connections();
    return {
      ...settings.about(),
      feed_lag_ms: feedLagMs(feed.state()),
      database_connections: open,
      database_waiting: waiting,
    };
  };
  const { recalled, epoch, leased, ...leasing } = createLeasing({
    leases,
    storeFailures,
    ...settings,
    about,
  });
  return {
    stores,
    ...leasing,
    lag() {
      const { open, waiting } = connections();
      return {
        feedMs: feedLagMs(feed.state()),
        connections: open,
        connectionsWaiting: waiting,
        leases: leased(),
      };
    },
    shared: { feed, readInOrder, recalled },
    nodes: sharedNodes(nodes, about, epoch),
  };
};
