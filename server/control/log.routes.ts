import { PAGE_SIZE } from "@tollgate/contract/control/envelope";
import { encodeLog, type LogFilter, logStatWireSchema, logWireSchema } from "@tollgate/contract/control/log";
import { z } from "zod/mini";
import { audit } from "./audit";
import { Failure } from "./failure";
import { type Route, readInteger, readPage, route } from "./route";
import type { Services } from "./services";

/** How many rows a search gives at most (contract section 3.1). */
const SEARCH_LIMIT = 100;

const given = (text: string | undefined): string | undefined =>
  text === undefined || text === "" ? undefined : text;

/** 0 means no filter (contract section 1.9). */
const givenNumber = (text: string | undefined): number | undefined => {
  const value = readInteger(text);
  return value === 0 ? undefined : value;
};

const readFilter = (query: Record<string, string>): LogFilter => ({
  type: givenNumber(query.type),
  tokenName: given(query.token_name),
  modelName: given(query.model_name),
  startTimestamp: givenNumber(query.start_timestamp),
  endTimestamp: givenNumber(query.end_timestamp),
});

const readAdminFilter = (query: Record<string, string>): LogFilter => ({
  ...readFilter(query),
  username: given(query.username),
  channelId: givenNumber(query.channel),
});

/** The usage log (contract section 1.9). */
export const logRoutes = (services: Services): Route[] => {
  const { storage } = services;
  const page = async (filter: LogFilter, query: Record<string, string>) =>
    (await storage.read.logs.page(filter, readPage(query) * PAGE_SIZE, PAGE_SIZE)).map(encodeLog);
  return [
    route({
      method: "GET",
      path: "/api/log",
      guard: "admin",
      summary: "A page of the log",
      data: z.array(logWireSchema),
      handle: ({ query }) => page(readAdminFilter(query), query),
    }),
    route({
      method: "GET",
      path: "/api/log/self",
      guard: "user",
      summary: "A page of one's own log",
      data: z.array(logWireSchema),
      handle: ({ caller, query }) => page({ ...readFilter(query), userId: caller.id }, query),
    }),
    route({
      method: "GET",
      path: "/api/log/search",
      guard: "admin",
      summary: "Log lines by type or by the beginning of their text",
      data: z.array(logWireSchema),
      async handle({ query }) {
        return (await storage.read.logs.search(query.keyword ?? "", undefined, SEARCH_LIMIT)).map(encodeLog);
      },
    }),
    route({
      method: "GET",
      path: "/api/log/self/search",
      guard: "user",
      summary: "One's own log lines by type",
      data: z.array(logWireSchema),
      async handle({ caller, query }) {
        return (await storage.read.logs.search(query.keyword ?? "", caller.id, SEARCH_LIMIT)).map(encodeLog);
      },
    }),
    route({
      method: "DELETE",
      path: "/api/log",
      guard: "admin",
      summary: "Deletes what is older than target_timestamp; answers how many lines",
      data: z.int(),
      async handle(context) {
        const timestamp = readInteger(context.query.target_timestamp);
        if (timestamp <= 0) throw new Failure("timestamp-required");
        const count = await storage.write.logs.clearBefore(timestamp);
        await audit(services, context, "log.clear", timestamp, { count });
        return count;
      },
    }),
    route({
      method: "GET",
      path: "/api/log/stat",
      guard: "admin",
      summary: "The quota consumed",
      data: logStatWireSchema,
      async handle({ query }) {
        return { quota: await storage.read.logs.consumedQuota(readAdminFilter(query)) };
      },
    }),
    route({
      method: "GET",
      path: "/api/log/self/stat",
      guard: "user",
      summary: "The quota that one consumed oneself",
      data: logStatWireSchema,
      async handle({ caller, query }) {
        const filter = { ...readFilter(query), userId: caller.id, channelId: givenNumber(query.channel) };
        return { quota: await storage.read.logs.consumedQuota(filter) };
      },
    }),
  ];
};
