import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** Restarts a pending read after its data was changed by hand: its answer may be older than the change. */
export const restartRead = (client: QueryClient, queryKey: QueryKey): void => {
  const read = { queryKey, exact: true };
  if (client.isFetching(read) > 0) void client.invalidateQueries(read);
};
