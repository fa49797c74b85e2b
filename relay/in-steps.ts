/**
 * Does a long work in steps, each in a turn of the event loop of its own, so that other requests come in between.
 * @returns what the work comes to; fails with what it throws.
 */
export const inSteps = <Result>(steps: Generator<undefined, Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const next = (): void => {
      try {
        const step = steps.next();
        if (step.done) resolve(step.value);
        else setImmediate(next);
      } catch (error) {
        reject(error as Error);
      }
    };
    next();
  });
