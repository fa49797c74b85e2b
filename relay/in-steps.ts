/**
 * Runs long work in steps, each in its own turn of the event loop, so that other requests run in between.
 * @param onStep receives the result of each step but the last.
 * @returns the result of the work; rejects with what it throws.
 */
export const inSteps = <Step, Result>(
  steps: Generator<Step, Result>,
  onStep?: (given: Step) => void,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const next = (): void => {
      try {
        const step = steps.next();
        if (step.done) {
          resolve(step.value);
          return;
        }
        onStep?.(step.value);
        setImmediate(next);
      } catch (error) {
        reject(error as Error);
      }
    };
    next();
  });
