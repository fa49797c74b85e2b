import { useCallback, useSyncExternalStore } from "react";
import { subscribeStored } from "./local-store";
import { useSession } from "./session";
import { offersTickets } from "./status";

/** Returns whether the signed-in user can open a ticket about a request of this user: only about an own one. */
export const useReportable = (): ((userId: number | undefined) => boolean) => {
  const { user } = useSession();
  const hasTickets = useSyncExternalStore(subscribeStored, offersTickets);
  const ownId = user?.id;
  return useCallback((userId) => hasTickets && userId !== undefined && userId === ownId, [hasTickets, ownId]);
};
