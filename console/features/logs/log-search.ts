import { LOG_OUTCOMES, type LogOutcome } from "@tollgate/contract/api/logs";
import { LOG_ALL } from "@tollgate/contract/values/statuses";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { readText } from "../../lib/address-values";
import { type ListSearch, readListSearch } from "../../lib/list-search";
import { hasListExtra } from "../../lib/status";
import { readWrittenSpan, spanEnds, type WrittenSpan } from "../../lib/written-span";

/** The log page's state in the address: the list's, and its filters. Times are written as shown. */
export interface LogSearch extends Omit<ListSearch, "q">, WrittenSpan {
  type?: number;
  outcome?: LogOutcome;
  token?: string;
  model?: string;
  channel?: string;
  username?: string;
  request?: string;
  /** The request whose receipt is shown beside the list. */
  receipt?: string;
}

/** Reads the log page's state from the address. */
export const readLogSearch = (search: Record<string, unknown>): LogSearch => {
  const { page, size, sort } = readListSearch(search);
  const type = Number(search.type);
  return {
    page,
    size,
    sort,
    type: Number.isInteger(type) && type > LOG_ALL ? type : undefined,
    // A server without this filter would show all lines under it.
    outcome: hasListExtra("log-outcome") ? LOG_OUTCOMES.find((each) => each === search.outcome) : undefined,
    token: readText(search.token),
    model: readText(search.model),
    ...readWrittenSpan(search),
    channel: readText(search.channel),
    username: readText(search.username),
    request: readText(search.request),
    receipt: readText(search.receipt),
  };
};

/** The default range ends one hour ahead, so that a server clock running ahead hides no lines. */
const AHEAD_SECONDS = 3600;

/** The query parameters of a log list or a total. Only administrators may filter by user and channel. */
export const logQuery = (search: LogSearch, isAdmin: boolean, nowMs: number) => {
  const { from = 0, to = toUnixSeconds(nowMs) + AHEAD_SECONDS } = spanEnds(search, nowMs);
  return {
    type: search.type ?? LOG_ALL,
    token_name: search.token ?? "",
    model_name: search.model ?? "",
    start_timestamp: from,
    end_timestamp: to,
    // Sent only if set: other servers have no such filter.
    ...(search.request === undefined ? {} : { request_id: search.request }),
    ...(search.outcome === undefined ? {} : { outcome: search.outcome }),
    ...(isAdmin ? { username: search.username ?? "", channel: search.channel ?? "" } : {}),
  };
};

/** The filters in the address, also the list's cache key: without page, order and receipt. */
export const logFilter = ({
  page: _page,
  sort: _sort,
  receipt: _receipt,
  ...filter
}: LogSearch): Omit<LogSearch, "page" | "sort" | "receipt"> => filter;

/** The state without filters. */
export const NO_FILTER: LogSearch = {
  type: undefined,
  outcome: undefined,
  token: undefined,
  model: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
  channel: undefined,
  username: undefined,
  request: undefined,
};
