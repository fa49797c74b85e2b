import type { ApiKey } from "@tollgate/accounts/api-keys";
import {
  getApiKeyLimits,
  getApiKeySummaryLimits,
  getOwnLimits,
  getUserLimits,
} from "@tollgate/contract/api/limit-uses";
import { LIMITS } from "@tollgate/contract/management/limits";
import type { LimitStanding } from "@tollgate/relay/limits/budget-book";
import { Failure } from "../failure";
import { implement, type Route } from "../route";
import type { Services } from "../services";
import { findVisibleKey, findVisibleUser } from "./find-visible-user";

/** @param seesGroups whether the caller may see the usage of all users of a group together. */
const toUse = (
  { scope, id, limit, max, used, extra, hours, endMs, isSoft, isOfPlan }: LimitStanding,
  seesGroups: boolean,
) => ({
  scope,
  group: scope === "group" ? String(id) : "",
  limit: LIMITS[limit].name,
  max,
  used: scope === "group" && !seesGroups ? undefined : used,
  extra,
  hours,
  resetsAt: endMs && endMs / 1000,
  isSoft: isSoft || undefined,
  isOfPlan: isOfPlan || undefined,
});

const own = (standings: readonly LimitStanding[]) => standings.map((each) => toUse(each, false));

const lookAtKey = ({ limiter, groupAccess }: Services, key: ApiKey): Promise<readonly LimitStanding[]> =>
  limiter.look(key, groupAccess.groupsOf(key));

/** The limits of keys and users with their usage (docs/reference/limits.md); beyond the contract. */
export const limitRoutes: Route[] = [
  implement(getApiKeyLimits, async ({ services, caller, params }) => {
    const key = services.accounts.keys.findById(params.id);
    if (!key || key.user.id !== caller.id) throw new Failure("record-not-found");
    return own(await lookAtKey(services, key));
  }),

  implement(getApiKeySummaryLimits, async ({ services, caller, params }) => {
    const key = findVisibleKey(services, caller, params.id);
    return (await lookAtKey(services, key)).map((each) => toUse(each, true));
  }),

  implement(getOwnLimits, async ({ services, caller }) => own(await services.limiter.look({ user: caller }))),

  implement(getUserLimits, async ({ services, caller, params }) => {
    const user = findVisibleUser(services, caller, params.id);
    return (await services.limiter.look({ user })).map((each) => toUse(each, true));
  }),
];
