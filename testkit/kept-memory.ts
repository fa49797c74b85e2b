import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

const collectGarbage = (): void => {
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  // The second run frees the memory behind buffers that the first one found unused.
  collect();
  collect();
};

/** Memory of this thread that is in use once all garbage is collected, that of buffers included; bytes. */
export const keptMemory = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
