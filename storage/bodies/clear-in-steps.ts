import type { BodyDeletion } from "./ports";

/** Deletes step by step, so that others come between. @returns how many bodies. */
export const clearInSteps = async (step: () => Promise<BodyDeletion>): Promise<number> => {
  let count = 0;
  for (;;) {
    const { deleted, isDone } = await step();
    count += deleted;
    if (isDone) return count;
  }
};
