/**
 * Does a long work in steps, each in a turn of the event loop of its own, so that other requests come in between.
 * @param onStep is given what each step gives but the last.
 * @returns what the work comes to; fails with what it throws.
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
