import { useQuery } from "@tanstack/react-query";
import { listAnnouncements, listPastAnnouncements } from "@tollgate/contract/api/announcements";
import { searchApiKeys } from "@tollgate/contract/api/api-keys";
import { searchChannels } from "@tollgate/contract/api/channels";
import { listNodes } from "@tollgate/contract/api/nodes";
import { getOwnOrder, listOrders } from "@tollgate/contract/api/orders";
import { listOfferedPlans, listPlans, listSubscriptions } from "@tollgate/contract/api/plans";
import { listPriceDrafts } from "@tollgate/contract/api/price-drafts";
import { listPriceRules } from "@tollgate/contract/api/price-rules";
import { getPricing } from "@tollgate/contract/api/pricing";
import { listPromotions } from "@tollgate/contract/api/promotions";
import { listReconciliations } from "@tollgate/contract/api/reconciliations";
import { searchRedemptions } from "@tollgate/contract/api/redemptions";
import { listOwnTickets, listTickets } from "@tollgate/contract/api/tickets";
import { findApiKeys } from "@tollgate/contract/api/user-api-keys";
import { searchUsers } from "@tollgate/contract/api/users";
import type { PermissionArea } from "@tollgate/contract/management/permission-areas";
import type { CallOf, DataOf, Endpoint } from "@tollgate/contract/resource/endpoint";
import { useTranslation } from "react-i18next";
import { HttpError, isUnknownCall, RefusedError } from "../lib/api-client";
import { callEndpoint } from "../lib/call-endpoint";
import { type Session, useSession } from "../lib/session";
import { useStatus } from "../lib/status";
import { usePaused } from "../lib/use-paused";
import { wordsOf } from "./rank-commands";

/** Maximum number of shown records per kind. */
export const MAX_RECORDS = 5;
/** Longer than between two letters of a word: one call per kind and word. */
const PAUSE_MS = 300;
/** The second part of the key of each kept list. */
export const KEPT_KEY = "commands";
/** Lists that rarely change during a search. */
const KEPT_MS = 300_000;

/** Start of an order number. Shorter texts count as names. */
const ORDER_NUMBER = /^[\da-f]{6,32}$/i;

const SEARCHED = ["channel", "user", "token", "code", "order"] as const;
type SearchedKind = (typeof SEARCHED)[number];

/** Whether a word names a kind of record: 禁用渠道, or the beginning of "channel". */
const isKindIn = (word: string, noun: string): boolean =>
  word.endsWith(noun) || (word.length > 2 && noun.startsWith(word));

/** Whether the server does not have such records, or not for this user: a site without prices shows no models. */
const isNotOffered = (error: unknown): boolean =>
  isUnknownCall(error) || (error instanceof HttpError && error.status === 403);

/** Calls of one search. Failures are counted: an empty result must not hide them. */
const searching = (may: Session["may"], signal: AbortSignal) => {
  let hasFailed = false;
  const found = <Row>(rows: Promise<Row[]>): Promise<Row[]> =>
    rows
      .then((all) => all.slice(0, MAX_RECORDS))
      .catch((error: unknown) => {
        // A server with only the one-api contract has no orders.
        if (!isNotOffered(error)) hasFailed = true;
        return [];
      });
  const ownOrder = (number: string) =>
    callEndpoint(getOwnOrder, { params: { number } }, signal).then(
      (order) => [order],
      (error: unknown) => {
        if (error instanceof RefusedError) return [];
        throw error;
      },
    );
  const search = async (keyword: string, kinds: readonly SearchedKind[]) => {
    const call = { query: { keyword, limit: MAX_RECORDS } };
    const wants = (kind: SearchedKind): boolean => kinds.includes(kind);
    const orders = () =>
      found(may("orders") ? callEndpoint(listOrders, { query: { keyword } }, signal) : ownOrder(keyword));
    const [channels, users, tokens, otherTokens, codes, ordered] = await Promise.all([
      may("channels") && wants("channel") ? found(callEndpoint(searchChannels, call, signal)) : [],
      may("users") && wants("user") ? found(callEndpoint(searchUsers, call, signal)) : [],
      wants("token") ? found(callEndpoint(searchApiKeys, call, signal)) : [],
      may("users") && wants("token") ? found(callEndpoint(findApiKeys, call, signal)) : [],
      may("redemptions") && wants("code") ? found(callEndpoint(searchRedemptions, call, signal)) : [],
      wants("order") && ORDER_NUMBER.test(keyword) ? orders() : [],
    ]);
    return { channels, users, tokens, otherTokens, codes, orders: ordered };
  };
  return { search, hasFailed: () => hasFailed };
};

/**
 * Records that the server finds by the text, within this user's permissions. Without any, the last of several words may
 * name the record, and a word before it the kind: 禁用渠道 3.
 */
export const useFoundRecords = (text: string) => {
  const { t } = useTranslation();
  const { isAdmin, may } = useSession();
  const keyword = usePaused(text, PAUSE_MS);
  const query = useQuery({
    queryKey: ["command-records", isAdmin, keyword],
    queryFn: async ({ signal }) => {
      const { search, hasFailed } = searching(may, signal);
      const whole = await search(keyword, SEARCHED);
      const words = wordsOf(keyword);
      const last = words.at(-1)?.replace(/^#/, "") ?? "";
      const isEmpty = Object.values(whole).every((rows) => rows.length === 0);
      if (!isEmpty || last === "" || last === keyword)
        return { rows: whole, isByLastWord: false, hasFailed: hasFailed() };
      const named = SEARCHED.filter((kind) =>
        words.slice(0, -1).some((word) => isKindIn(word, t(`command.kind.${kind}`).toLowerCase())),
      );
      const rows = await search(last, named.length > 0 ? named : SEARCHED);
      return { rows, isByLastWord: true, hasFailed: hasFailed() };
    },
    enabled: keyword !== "",
    meta: { silent: true },
    staleTime: 10_000,
    // An action may change its record: another opening of the menu searches again.
    gcTime: 0,
  });
  return {
    data: keyword === "" ? undefined : query.data,
    /** The server's answer is about the text as it is typed now. */
    isCurrent: keyword === text,
    isSearching: text !== keyword || query.isFetching,
    hasFailed: query.data?.hasFailed ?? query.isError,
    retry: () => void query.refetch(),
  };
};

/** A list that is read once, and searched here. */
const useKept = <E extends Endpoint>(isWanted: boolean, endpoint: E, call: CallOf<E>) => {
  const query = useQuery({
    queryKey: [endpoint.reads, KEPT_KEY, endpoint.path],
    queryFn: ({ signal }): Promise<DataOf<E>> => callEndpoint(endpoint, call, signal),
    enabled: isWanted,
    meta: { silent: true },
    staleTime: KEPT_MS,
  });
  return {
    data: query.data,
    isFetching: query.isFetching,
    hasFailed: query.isError && !isNotOffered(query.error),
    refetch: query.refetch,
  };
};

/** Short lists without a search of the server, and the newest page of those that grow. */
export const useKeptRecords = (isWanted: boolean) => {
  const { isAdmin, isRoot, may } = useSession();
  const isFor = (area: PermissionArea): boolean => isWanted && may(area);
  const isForCustomers = isWanted && !isAdmin;
  const hasTickets = useStatus()?.tickets === true;
  const lists = {
    models: useKept(isWanted, getPricing, {}),
    plans: useKept(isFor("plans"), listPlans, {}),
    offeredPlans: useKept(isForCustomers, listOfferedPlans, {}),
    subscriptions: useKept(isFor("plans"), listSubscriptions, { query: {} }),
    promotions: useKept(isFor("promotions"), listPromotions, { query: {} }),
    tickets: useKept(isFor("tickets") && hasTickets, listTickets, { query: {} }),
    ownTickets: useKept(isWanted && hasTickets, listOwnTickets, { query: {} }),
    announcements: useKept(isFor("announcements"), listAnnouncements, { query: {} }),
    pastAnnouncements: useKept(isForCustomers, listPastAnnouncements, { query: {} }),
    rules: useKept(isFor("prices"), listPriceRules, {}),
    drafts: useKept(isFor("prices"), listPriceDrafts, {}),
    reconciliations: useKept(isFor("profit"), listReconciliations, { query: {} }),
    nodes: useKept(isWanted && isRoot, listNodes, {}),
  };
  const failed = Object.values(lists).filter(({ hasFailed }) => hasFailed);
  return {
    lists,
    isSearching: Object.values(lists).some(({ isFetching }) => isFetching),
    hasFailed: failed.length > 0,
    retry: () => {
      for (const { refetch } of failed) void refetch();
    },
  };
};
