import { MemoryRates } from "@tollgate/relay/limits/memory-rates";
import { describeRates } from "./testing/describe-rates";

describeRates("in memory", async () => {
  let now = 0;
  return {
    rates: new MemoryRates(() => now),
    setClock: async (nowMs) => {
      now = nowMs;
    },
    settle: async () => undefined,
  };
});
