import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { lowerPriority } from "@tollgate/storage/threads/lower-priority";
import { drawStatement } from "./draw-statement";
import type { StatementContent } from "./lay-out-statement";
import { unpackWoff } from "./unpack-woff";

/* Draws statements on its own thread: receives one at a time, and replies with its file. An error ends the thread. */

lowerPriority();
const font = unpackWoff(readFileSync(workerData as string));

parentPort?.on("message", async (content: StatementContent) => {
  const file = await drawStatement(font, content);
  parentPort?.postMessage(file, [file.buffer]);
});
