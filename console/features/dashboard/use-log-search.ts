import { useSession } from "../../lib/session";
import type { UsageRange } from "../../lib/usage/usage-range";
import { type groupFilter, logSearchOf } from "./log-search-of";
import type { View } from "./use-dashboard";

/** Builds the log page's search for a part of this view, for the current user. */
export const useLogSearch = (view: View) => {
  const { user, isAdmin } = useSession("logs");
  return (part: { range?: UsageRange; group?: ReturnType<typeof groupFilter> } = {}) =>
    logSearchOf(view, user?.username ?? "", isAdmin, part);
};
