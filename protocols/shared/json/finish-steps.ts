/** Runs all steps immediately, for work that is known to be short. @see inSteps */
export const finishSteps = <T>(steps: Generator<undefined, T>): T => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};
