/**
 * Starts a clock of what this process works: unlike the time of day, it says the same on a busy machine. For tests that tell
 * work which grows with the square of its input from work that grows with the input; their bounds are far from both.
 * @returns asks for the milliseconds of CPU since then.
 */
export const startCpuClock = (): (() => number) => {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
};
