import type { Sample } from "../load/measure";
import { median } from "../load/median";
import { say } from "../print";

const percent = (cores: number): string => `${(cores * 100).toFixed(0)} %`;

/** Says how much of the machine other programs took during these rounds, so that figures of a busy machine are known. */
export const sayOtherWork = (samples: readonly Sample[]): void => {
  const cores = samples.map(({ otherCores }) => otherCores);
  say(
    `\n  Other programs kept ${percent(median(cores))} of a core busy meanwhile (median), ${percent(Math.max(...cores))} at the most.`,
  );
};
