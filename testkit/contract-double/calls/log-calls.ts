import { clearLogs, getLogTotal, getOwnLogTotal, listLogs, listOwnLogs } from "@tollgate/contract/api/logs";
import * as z from "zod/mini";
import { logAnswer, logStatAnswer } from "../answer-schemas";
import { answers, type Calls, done } from "../call";
import type { Dialect } from "../dialect";
import { admits, newestFirst, pageOf } from "../select-rows";
import type { StoredLog } from "../stored-rows";
import type { World } from "../world";

/** The lines that match the query; of one user alone where it names one. */
const select = (world: World, query: URLSearchParams, owner?: string): StoredLog[] =>
  world.logs.filter(
    (log) =>
      (owner === undefined || log.username === owner) &&
      admits(query, "type", log.type) &&
      admits(query, "token_name", log.token_name) &&
      admits(query, "model_name", log.model_name) &&
      admits(query, "username", log.username) &&
      admits(query, "channel", log.channel) &&
      log.created_at >= Number(query.get("start_timestamp") ?? 0) &&
      log.created_at <= Number(query.get("end_timestamp") || Number.POSITIVE_INFINITY),
  );

const sum = (logs: readonly StoredLog[]) => ({ quota: logs.reduce((total, { quota }) => total + quota, 0) });

/** Servers without receipts name no request, and some have the id under another name or not at all. */
const bend = (logs: readonly StoredLog[], { hasUsage, logId }: Dialect): unknown =>
  logs.map(({ id, request_id, ...log }) => ({
    ...log,
    ...(hasUsage ? { request_id } : {}),
    ...(logId === "absent" ? {} : { [logId]: id }),
  }));

/** The usage log, of all users and of the caller. */
export const logCalls: Calls = {
  ...answers(listLogs, {
    data: z.array(logAnswer),
    answer: ({ world, query, dialect }) =>
      done(pageOf(newestFirst(select(world, query)), query, dialect.rowsPerPage)),
    bend,
  }),
  ...answers(listOwnLogs, {
    data: z.array(logAnswer),
    answer: ({ world, caller, query, dialect }) => {
      const rows = newestFirst(select(world, query, caller.username));
      return done(pageOf(rows, query, dialect.rowsPerPage).map((log) => ({ ...log, id: 0 })));
    },
    bend,
  }),
  ...answers(getLogTotal, {
    data: logStatAnswer,
    answer: ({ world, query }) => done(sum(select(world, query))),
  }),
  ...answers(getOwnLogTotal, {
    data: logStatAnswer,
    answer: ({ world, caller, query }) => done(sum(select(world, query, caller.username))),
  }),
  ...answers(clearLogs, {
    data: z.int(),
    answer: ({ world, query }) => {
      const kept = world.logs.filter((log) => log.created_at >= Number(query.get("target_timestamp")));
      const count = world.logs.length - kept.length;
      world.logs = kept;
      return done(count);
    },
  }),
};
