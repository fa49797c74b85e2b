/**
 * Starts a clock of this process's CPU time: unlike the time of day, it does not depend on other load. For tests that
 * distinguish quadratic from linear work; their bounds are far from both.
 * @returns reads the milliseconds of CPU since then.
 */
export const startCpuClock = (): (() => number) => {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
};
