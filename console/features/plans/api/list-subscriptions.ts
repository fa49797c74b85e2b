import { queryOptions } from "@tanstack/react-query";
import { readSubscriptions, type ShownSubscription } from "@tollgate/contract/management/plan";
import { callApi } from "../../../lib/api-client";
import { growingList } from "../../../lib/growing-list";

export const SUBSCRIPTIONS = ["subscriptions"] as const;

/** How often what is left is asked for while the page is seen. */
const REFRESH_MS = 30_000;

/** GET /api/subscription/self */
export const ownSubscriptionsQuery = queryOptions({
  queryKey: [...SUBSCRIPTIONS, "self"],
  queryFn: async ({ signal }): Promise<ShownSubscription[]> =>
    readSubscriptions((await callApi("GET", "/api/subscription/self", { signal })).data),
  staleTime: 0,
  refetchInterval: REFRESH_MS,
  meta: { isExtra: true },
});

/** GET /api/subscription/?p= @param userId only those of this user. */
export const subscriptionPages = (userId: string) =>
  growingList<ShownSubscription>(
    [...SUBSCRIPTIONS, "list", userId],
    async (page, signal) =>
      readSubscriptions(
        (
          await callApi("GET", "/api/subscription/", {
            query: { p: page, ...(userId === "" ? {} : { user_id: userId }) },
            signal,
          })
        ).data,
      ),
    { isExtra: true },
  );
