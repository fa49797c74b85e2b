import { missingRecord, type UsageGrouping } from "@tollgate/contract/api/usage";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import { type UsageRange, writeRange } from "../../lib/usage/usage-range";
import type { DashboardSearch } from "./dashboard-search";
import type { View } from "./use-dashboard";

/** A group as a filter of the log or of the dashboard, which use the same names; undefined without a record. */
export const groupFilter = (
  by: UsageGrouping,
  group: { key: string; name: string },
): Pick<DashboardSearch, "token" | "model" | "channel" | "username"> | undefined => {
  if (missingRecord(by, group.key)) return undefined;
  switch (by) {
    case "model":
      return { model: group.key };
    case "token":
      return { token: group.name };
    case "channel":
      return { channel: group.key };
    case "user":
      return { username: group.name };
    case "none":
      return {};
  }
};

/** The log page's search for the lines behind a view, or a part of it. `username` is the current user's. */
export const logSearchOf = (
  { search, isAll, range }: View,
  username: string,
  isAdmin: boolean,
  part: { range?: UsageRange; group?: ReturnType<typeof groupFilter> } = {},
) => ({
  type: LOG_CONSUME,
  token: search.token,
  model: search.model,
  channel: isAll ? search.channel : undefined,
  // An administrator's log contains all users' lines.
  username: isAll ? search.username : isAdmin ? username : undefined,
  ...writeRange(part.range ?? range),
  ...part.group,
});
