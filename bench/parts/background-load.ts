import type { Sample } from "../load/measure";
import { median } from "../load/median";
import { print } from "../print";

const percent = (cores: number): string => `${(cores * 100).toFixed(0)} %`;

/** Prints how much CPU other programs took during these rounds, so that figures of a busy machine are known for such. */
export const printBackgroundLoad = (samples: readonly Sample[]): void => {
  const cores = samples.map(({ backgroundCores }) => backgroundCores);
  print(
    `\n  Other programs kept ${percent(median(cores))} of a core busy meanwhile (median), ${percent(Math.max(...cores))} at the most.`,
  );
};
