import {
  getPlan,
  listOfferedPlans,
  listOwnSubscriptions,
  listPlans,
  listSubscriptions,
} from "@tollgate/contract/api/plans";
import { callEndpoint } from "../../lib/call-endpoint";
import { endpointPages, endpointQueried } from "../../lib/endpoint-lists";
import { endpointQuery } from "../../lib/endpoint-query";
import { growingList } from "../../lib/growing-list";

/** Servers with only the one-api contract have no plans. */
const meta = { isExtra: true };

/** Polling interval of the plan's remaining quota while the page is visible. */
const REFRESH_MS = 30_000;

/** All plans as a list, in one answer. */
export const planPages = growingList(
  ["plans", "list"],
  async (page, signal) => (page > 0 ? [] : callEndpoint(listPlans, {}, signal)),
  meta,
);

/** All plans, for choosing one. */
export const allPlansQuery = { ...endpointQuery(listPlans, {}), meta };

/** One plan, always read again: its form must not begin with outdated values. */
export const planQuery = (id: number) => ({
  ...endpointQuery(getPlan, { params: { id } }),
  staleTime: 0,
  gcTime: 0,
  meta,
});

export const offeredPlansQuery = { ...endpointQuery(listOfferedPlans, {}), meta };

export const ownSubscriptionsQuery = {
  ...endpointQuery(listOwnSubscriptions, {}),
  staleTime: 0,
  refetchInterval: REFRESH_MS,
  meta,
};

const ofUser = (userId: string) => ({ query: userId === "" ? {} : { user_id: userId } });

/** @param userId lists only this user's subscriptions; "" for all */
export const subscriptionPages = (userId: string) =>
  endpointPages(listSubscriptions, ofUser(userId), { isExtra: true });

export const queriedSubscriptions = (userId: string) =>
  endpointQueried(listSubscriptions, ofUser(userId), { isExtra: true });
