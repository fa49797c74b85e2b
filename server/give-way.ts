import { setImmediate as turnOfOthers } from "node:timers/promises";

/** Lets whatever else waits go first: for work of many steps, beside which requests are relayed. */
export const giveWay = async (): Promise<void> => {
  await turnOfOthers();
};
