import { parentPort } from "node:worker_threads";
import type { PoolUse } from "../postgres/connection-pool";
import { answerCall, type Groups } from "./answer-call";
import type { Call } from "./worker-messages";

/** Interval of a thread's reports of its connections. */
const SAY_MS = 1000;

/** A thread's report of its connections, sent unrequested. */
export interface ConnectionsNote {
  note: "connections";
  use: PoolUse;
}

/** The services of a thread that works with a database. */
interface Served {
  groups: Groups;
  connections(): PoolUse;
  close(): Promise<void>;
}

/** This thread's end of the way to the one that started it. @throws Error on a thread that was not started by another. */
export const openPort = () => {
  if (!parentPort) throw new Error("what works with a database must be started as a worker thread");
  return parentPort;
};

/** Answers calls as they are done, not in their order: each has a connection. */
export const serveCalls = ({ groups, connections, close }: Served): void => {
  const port = openPort();
  const saying = setInterval(
    () => port.postMessage({ note: "connections", use: connections() } satisfies ConnectionsNote),
    SAY_MS,
  );
  const underWay = new Set<Promise<void>>();
  const answer = async (call: Call): Promise<void> => port.postMessage(await answerCall(groups, call));
  const end = async (): Promise<void> => {
    await Promise.all(underWay);
    clearInterval(saying);
    await close();
    port.close();
  };
  port.on("message", (message: Call | "close") => {
    if (message === "close") {
      void end();
      return;
    }
    const answered = answer(message).finally(() => underWay.delete(answered));
    underWay.add(answered);
  });
  port.postMessage("ready");
};
