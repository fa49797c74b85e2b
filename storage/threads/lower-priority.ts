import { constants, setPriority } from "node:os";

/**
 * Lets relaying go first where cores are few: no stream waits for a query. Linux gives threads a priority of their own;
 * elsewhere it would be that of the whole process. Where a service may not change priorities (seccomp), all stay equal.
 */
export const lowerPriority = (): void => {
  if (process.platform !== "linux") return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is not worth a start that fails.
  }
};
