import { workerData } from "node:worker_threads";
import { DatabaseRefused } from "../errors";
import { openPostgresLog, type PostgresLogSettings } from "../postgres-log";
import type { Groups } from "./answer-call";
import { lowerPriority } from "./lower-priority";
import type { PostgresLogNote } from "./postgres-log-port";
import { openPort, serveCalls } from "./serve-calls";

/*
 * The thread that has the log of a database: it reads the content of lines and computes pages and totals, so that none
 * of this takes time of the thread that relays.
 */

const port = openPort();
const say = (note: PostgresLogNote): void => port.postMessage(note);

lowerPriority();
const log = await openPostgresLog(workerData as PostgresLogSettings, (error) => {
  const refusal = error instanceof DatabaseRefused ? error.fault : undefined;
  say({ note: "failure", failure: error.message, refusal });
});
const groups: Groups = {
  ...log.queries,
  log: log.maintenance,
  sums: { addUp: log.addUpSums },
} as unknown as Groups;
serveCalls({ ...log, groups });
