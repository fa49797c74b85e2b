import type { QueryClient } from "@tanstack/react-query";
import { subscribeStored } from "../lib/local-store";
import { clearCache, restartCache } from "../lib/query-client";
import { currentUser } from "../lib/session";
import type { createConsoleRouter } from "./router";

/**
 * Drops the former user's data when another user signs in, however they do. A change in another tab also changes the
 * session of this one, so this tab leaves the page of the former user.
 * @returns how to stop
 */
export const followUser = (
  queryClient: QueryClient,
  router: ReturnType<typeof createConsoleRouter>,
): (() => void) => {
  let known = currentUser()?.id;
  const leave = async (to: "/login" | "/"): Promise<void> => {
    // A changed form cannot be saved by another user, so it does not ask.
    await router.navigate({ to, ignoreBlocker: true });
    await restartCache(queryClient);
  };
  return subscribeStored((inOtherTab) => {
    const former = known;
    known = currentUser()?.id;
    if (known === former) return;
    if (inOtherTab && former !== undefined) void leave(known === undefined ? "/login" : "/");
    // Signing out in this tab clears the cache after leaving the page (use-sign-out.ts).
    else if (known !== undefined) clearCache(queryClient);
  });
};
