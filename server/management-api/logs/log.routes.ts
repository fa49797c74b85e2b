import {
  clearLogs,
  getLogTotal,
  getOwnLogTotal,
  LOG_SORTS,
  type Log,
  type LogFilter,
  type LogSort,
  listLogs,
  listOwnLogs,
  MAX_SORTED_LINES,
  OWN_LOG_SORTS,
  type StoredLog,
  searchLogs,
  searchOwnLogs,
} from "@tollgate/contract/api/logs";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { clearLog } from "../../jobs/log-retention";
import { findLogBeginnings } from "../../locales/find-log-beginnings";
import { formatLogContent } from "../../locales/format-log";
import type { Language } from "../../locales/languages";
import { formatFailure, formatOriginal } from "../../relay-api/format-failure";
import { currencyOf, hasDisplayRates } from "../../state/display-currency";
import { audit } from "../audit";
import { Failure } from "../failure";
import { implement, readInteger, readPage, readSort } from "../route";
import type { Services } from "../services";
import { readAdminFilter, readOwnFilter, readOwnTotalFilter } from "./log-filter";

/** Maximum rows of a search (contract section 3.1). */
const SEARCH_LIMIT = 100;

interface Reader {
  services: Services;
  language: Language;
}

interface PageReader extends Reader {
  query: Readonly<Record<string, string>>;
}

/** @param channelName undefined for a reader who must not see channels' names. */
const translate = (
  { services, language }: Reader,
  logs: readonly StoredLog[],
  channelName: ((id: number) => string) | undefined,
): Log[] => {
  const shown = currencyOf(services.options);
  return logs.map(({ failure, content, ...log }) => {
    const failed = failure && formatFailure(language, failure, log.modelName);
    return {
      ...log,
      content: failed?.reason ?? formatLogContent(language, content, shown(log.createdAt)),
      channelName: channelName && log.channelId > 0 ? channelName(log.channelId) : "",
      status: failed?.status ?? 0,
      code: failed?.code ?? "",
      upstreamError: channelName && failure && formatOriginal(failure),
      times: failure?.times ?? 0,
    };
  });
};

/** Names of channels, for administrators' lists. */
const channelNamesOf =
  ({ channels }: Services) =>
  (id: number): string =>
    channels.nameOf(id);

/** @param isAll for an administrator, who sees the names of channels. */
const readLogPage = async (
  reader: PageReader,
  filter: LogFilter,
  sorts: readonly LogSort[],
  isAll: boolean,
): Promise<Log[]> => {
  const { services, query } = reader;
  const { logs } = services.storage.read;
  const offset = readPage(query) * PAGE_SIZE;
  const sort = readSort(query, sorts);
  const found = sort
    ? await logs.sorted(filter, sort, offset, PAGE_SIZE)
    : await logs.page(filter, offset, PAGE_SIZE);
  if (!found) throw new Failure("log-too-long-to-sort", { most: MAX_SORTED_LINES.toLocaleString("en-US") });
  return translate(reader, found, isAll ? channelNamesOf(services) : undefined);
};

/** @param userId undefined for all users' lines, which are also found by the beginning of their text */
const findLogs = async (reader: Reader, keyword: string, userId: number | undefined): Promise<Log[]> => {
  const { services, language } = reader;
  const isConverted = hasDisplayRates(services.options);
  const beginnings = userId === undefined ? findLogBeginnings(language, keyword, isConverted) : [];
  const { logs } = services.storage.read;
  const found = await logs.search(keyword, beginnings, userId, SEARCH_LIMIT);
  return translate(reader, found, userId === undefined ? channelNamesOf(services) : undefined);
};

const readTotal = async ({ storage, now }: Services, filter: LogFilter): Promise<{ quota: number }> => {
  if (filter.requestId === undefined) return { quota: await storage.read.usage.consumedQuota(filter, now()) };
  // The sums know no single request: it has one line, and another one if its charge was reversed.
  const lines = await storage.read.logs.page(filter, 0, PAGE_SIZE);
  return { quota: lines.reduce((sum, { quota }) => sum + quota, 0) };
};

/** The usage log (contract section 1.9). */
export const logRoutes = [
  implement(listLogs, (context) => readLogPage(context, readAdminFilter(context.query), LOG_SORTS, true)),
  implement(listOwnLogs, (context) =>
    readLogPage(context, readOwnFilter(context.query, context.caller.id), OWN_LOG_SORTS, false),
  ),
  implement(searchLogs, (context) => findLogs(context, context.query.keyword ?? "", undefined)),
  implement(searchOwnLogs, (context) => findLogs(context, context.query.keyword ?? "", context.caller.id)),
  implement(clearLogs, async (context) => {
    const { services, query } = context;
    const timestamp = readInteger(query.target_timestamp);
    if (timestamp <= 0) throw new Failure("timestamp-required");
    const count = await clearLog(services.storage, timestamp, services.now());
    await audit(services, context, "log.clear", timestamp, { count });
    return count;
  }),
  implement(getLogTotal, ({ services, query }) => readTotal(services, readAdminFilter(query))),
  implement(getOwnLogTotal, ({ services, caller, query }) =>
    readTotal(services, readOwnTotalFilter(query, caller.id)),
  ),
];
