// @ts-check
import { appendFileSync } from "node:fs";
import { getHeapSpaceStatistics } from "node:v8";
import { threadId, Worker } from "node:worker_threads";

/*
 * In every thread of the product that runs under it: lets objects survive, piece by piece, until the space for new ones
 * has grown as far as it may, and writes down how far that was. On the relay's thread that is after one more thread has come
 * and gone, since each that starts sets V8's bound back.
 */

const PIECES = 60;
/** Where the collector falls behind on a busy machine, the space grows later. */
const MOST_PIECES = 240;
const OBJECTS = 20_000;
/** Far above where the space begins, and below the least bound of the relay's thread. */
const GROWN = 4 * 1024 * 1024;

/** @type {object[][]} */
const kept = [];
let most = 0;

const step = () => {
  kept.push(Array.from({ length: OBJECTS }, (_, i) => ({ i })));
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  if (space) most = Math.max(most, space.space_used_size + space.space_available_size);
  const isGrown = threadId !== 0 || most > GROWN;
  if (kept.length < (isGrown ? PIECES : MOST_PIECES)) setTimeout(step, 5);
  else appendFileSync(process.env.HEAP_SIZES ?? "", `${JSON.stringify({ threadId, most })}\n`);
};
// Once it has started.
setTimeout(() => {
  if (threadId === 0) new Worker("", { eval: true }).once("exit", step);
  else step();
}, 2000).unref();
