import { splitList } from "@tollgate/contract/values/split-list";
import type { Options } from "../state/options";

/** Models whose prices are not changed by lists. */
export const lockedPrices = (options: Options): ReadonlySet<string> =>
  new Set(splitList(options.text("LockedPrices")));

/** Locks a model's price, or unlocks it. @throws Failure */
export const lockPrice = (options: Options, model: string, isLocked: boolean): Promise<void> =>
  options.change("LockedPrices", (text) => {
    const others = splitList(text).filter((each) => each !== model);
    return (isLocked ? [...others, model] : others).join("\n");
  });
