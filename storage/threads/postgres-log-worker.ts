import { parentPort, workerData } from "node:worker_threads";
import { DatabaseRefused } from "../errors";
import { openPostgresLog, type PostgresLogSettings } from "../postgres-log";
import { answerCall, type Groups } from "./answer-call";
import { giveWay } from "./give-way";
import type { PostgresLogNote } from "./postgres-log-port";
import type { Call } from "./worker-messages";

/*
 * The thread that has the log of a database: what lines are made of is read here, and pages and totals are made here, so that none
 * of it takes time of the thread that relays. Calls are answered as they are done, not in their order: each has a connection.
 */

/** How often it says what connections it has. */
const SAY_MS = 1000;

const port = parentPort;
if (!port) throw new Error("the log of a database must be started as a worker thread");
const say = (note: PostgresLogNote): void => port.postMessage(note);

giveWay();
const log = await openPostgresLog(workerData as PostgresLogSettings, (error) => {
  const refusal = error instanceof DatabaseRefused ? error.fault : undefined;
  say({ note: "failure", failure: error.message, refusal });
});
const groups: Groups = {
  ...log.queries,
  log: log.maintenance,
  sums: { addUp: log.addUpSums },
} as unknown as Groups;
const saying = setInterval(() => say({ note: "connections", use: log.connections() }), SAY_MS);

const underWay = new Set<Promise<void>>();
const answer = async (call: Call): Promise<void> => port.postMessage(await answerCall(groups, call));
const close = async (): Promise<void> => {
  await Promise.all(underWay);
  clearInterval(saying);
  await log.close();
  port.close();
};
port.on("message", (message: Call | "close") => {
  if (message === "close") {
    void close();
    return;
  }
  const answered = answer(message).finally(() => underWay.delete(answered));
  underWay.add(answered);
});
port.postMessage("ready");
