import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import {
  encodeLog,
  type LogFilter,
  type LogWire,
  logStatWireSchema,
  logWireSchema,
  type StoredLog,
} from "@tollgate/contract/management/log";
import { PAGE_PARAMETER } from "@tollgate/contract/resource/endpoint";
import { z } from "zod/mini";
import { clearLog } from "../../jobs/log-retention";
import { findLogBeginnings } from "../../locales/find-log-beginnings";
import type { Language } from "../../locales/languages";
import { sayLogContent } from "../../locales/say-log";
import { audit } from "../audit";
import { Failure } from "../failure";
import { type Route, readInteger, readPage, route } from "../route";
import type { Services } from "../services";
import {
  EVERYBODYS_LOG,
  LOG_PARAMETERS,
  readAdminFilter,
  readOwnFilter,
  readOwnTotalFilter,
} from "./log-filter";

/** How many rows a search gives at most (contract section 3.1). */
const SEARCH_LIMIT = 100;

/** The usage log (contract section 1.9). */
export const logRoutes = (services: Services): Route[] => {
  const { storage, now } = services;
  const encodeIn = (language: Language, logs: readonly StoredLog[]): LogWire[] =>
    logs.map((log) => encodeLog(log, sayLogContent(language, log.content)));
  const page = async (filter: LogFilter, query: Record<string, string>, language: Language) =>
    encodeIn(language, await storage.read.logs.page(filter, readPage(query) * PAGE_SIZE, PAGE_SIZE));
  const search = async (keyword: string, userId: number | undefined, language: Language) => {
    const beginnings = userId === undefined ? findLogBeginnings(language, keyword) : [];
    return encodeIn(language, await storage.read.logs.search(keyword, beginnings, userId, SEARCH_LIMIT));
  };
  return [
    route({
      method: "GET",
      path: "/api/log",
      guard: "admin",
      summary: "A page of the log",
      query: { ...PAGE_PARAMETER, ...LOG_PARAMETERS, ...EVERYBODYS_LOG },
      data: z.array(logWireSchema),
      answer: ({ query, language }) => page(readAdminFilter(query), query, language),
    }),
    route({
      method: "GET",
      path: "/api/log/self",
      guard: "user",
      summary: "A page of one's own log",
      query: { ...PAGE_PARAMETER, ...LOG_PARAMETERS },
      data: z.array(logWireSchema),
      answer: ({ caller, query, language }) => page(readOwnFilter(query, caller.id), query, language),
    }),
    route({
      method: "GET",
      path: "/api/log/search",
      guard: "admin",
      summary: "Log lines by type or by the beginning of their text",
      query: { keyword: "A type, or how a text begins." },
      data: z.array(logWireSchema),
      answer: ({ query, language }) => search(query.keyword ?? "", undefined, language),
    }),
    route({
      method: "GET",
      path: "/api/log/self/search",
      guard: "user",
      summary: "One's own log lines by type",
      query: { keyword: "A type." },
      data: z.array(logWireSchema),
      answer: ({ caller, query, language }) => search(query.keyword ?? "", caller.id, language),
    }),
    route({
      method: "DELETE",
      path: "/api/log",
      guard: "admin",
      summary: "Deletes what is older than target_timestamp, bodies too; answers how many lines",
      query: { target_timestamp: "Unix seconds." },
      data: z.int(),
      async answer(context) {
        const timestamp = readInteger(context.query.target_timestamp);
        if (timestamp <= 0) throw new Failure("timestamp-required");
        const count = await clearLog(storage, timestamp, now());
        await audit(services, context, "log.clear", timestamp, { count });
        return count;
      },
    }),
    route({
      method: "GET",
      path: "/api/log/stat",
      guard: "admin",
      summary: "The quota consumed",
      query: { ...LOG_PARAMETERS, ...EVERYBODYS_LOG },
      data: logStatWireSchema,
      async answer({ query }) {
        return { quota: await storage.read.usage.consumedQuota(readAdminFilter(query), now()) };
      },
    }),
    route({
      method: "GET",
      path: "/api/log/self/stat",
      guard: "user",
      summary: "The quota that one consumed oneself",
      query: { ...LOG_PARAMETERS, channel: EVERYBODYS_LOG.channel },
      data: logStatWireSchema,
      async answer({ caller, query }) {
        const filter = readOwnTotalFilter(query, caller.id);
        return { quota: await storage.read.usage.consumedQuota(filter, now()) };
      },
    }),
  ];
};
