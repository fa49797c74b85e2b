import { readFileSync } from "node:fs";

/*
 * Loaded before the product while the demo's world is made (`node --import`), in each of its threads: the product's
 * calls are dated by the file DEMO_CLOCK, so that two months pass in seconds. The demo itself then runs without it.
 */

const { DEMO_CLOCK: path } = process.env;

if (path !== undefined) {
  const realNow = Date.now;
  /** Milliseconds that are added to the time stand in the file. */
  Date.now = () => realNow() + Number(readFileSync(path, "utf8"));
}
