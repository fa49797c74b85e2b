import type { Option } from "@tollgate/contract/api/options";
import type { OptionCount } from "@tollgate/storage/accounts/site-ports";
import { Options } from "../../state/options";
import { createPricing } from "../../state/pricing";

/** A moment at which every price of the catalogue's past holds. */
export const NOW_MS = Date.parse("2026-11-22T12:00:00Z");

/** Options kept in a map, and the prices that follow from them. */
export const sitePrices = async (stored: Readonly<Record<string, string>> = {}) => {
  const values = new Map(Object.entries(stored));
  const all = (): Option[] => [...values].map(([key, value]) => ({ key, value }));
  const read = { options: { all: async () => all() } };
  const write = {
    options: {
      put: async (key: string, value: string, _isSecret: boolean, counted?: OptionCount) => {
        if (counted && (values.get(key) ?? counted.before) !== value)
          values.set(counted.key, String(Number(values.get(counted.key) ?? 1) + 1));
        values.set(key, value);
        return all();
      },
    },
  };
  const options = await Options.load(read, write);
  const yieldToOthers = async (): Promise<void> => {};
  return { options, pricing: createPricing(options, () => NOW_MS), nowMs: NOW_MS, yieldToOthers };
};
