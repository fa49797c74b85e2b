import type { Bookings } from "../accounts/node-ports";
import type { OpenBookings } from "../accounts/postgres/open-bookings";
import type { PoolUse } from "../postgres/connection-pool";
import { connectWorker } from "./connect-worker";
import { keepThread } from "./keep-thread";
import { remotePort } from "./remote-port";
import type { ConnectionsNote } from "./serve-calls";

/**
 * Opens the bookings of a database on a separate thread.
 * @param workerPath the built worker script. @param address of a database whose accounts were opened.
 * @param reportError called when the thread ends by an error: the next one takes the repeated calls.
 */
export const startBookings = async (
  workerPath: string,
  address: string,
  reportError: (error: Error) => void,
): Promise<OpenBookings> => {
  let use: PoolUse = { open: 0, waiting: 0 };
  const start = () =>
    connectWorker<ConnectionsNote>(workerPath, address, (said) => {
      use = said.use;
    });
  const thread = await keepThread(start, reportError);
  const { bookings } = remotePort<{ bookings: Bookings }>(
    async (...call) => (await thread.call(...call)).value,
  );
  return { bookings, connections: () => use, close: thread.close };
};
