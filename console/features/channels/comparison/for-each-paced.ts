/** Calls that run beside each other. */
const AT_ONCE = 4;
/** Servers allow an address 180 calls in three minutes: more than this number of calls are spread over the time. */
const UNPACED = 100;
const PACE_MS = 1100;

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, PACE_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Works through the items, a few at a time, and within the rate that servers allow; an abort ends it early. */
export const forEachPaced = async <Item>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const left = [...items];
  const isPaced = items.length > UNPACED;
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined && !signal.aborted; item = left.shift()) {
      await work(item);
      if (isPaced) await pause(signal);
    }
  };
  await Promise.all(Array.from({ length: isPaced ? 1 : AT_ONCE }, next));
};
