import { findChannelChanges } from "./channel-changes";
import { findOptionChanges } from "./option-changes";
import type { PlannedChange, Sides } from "./planned-change";

/**
 * Returns the changes that make options and channels equal to a file. Everything is checked as the server would check
 * it.
 * @throws FileFault with the line that the server would refuse.
 */
export const findChanges = (sides: Sides): PlannedChange[] => [
  ...findOptionChanges(sides),
  ...findChannelChanges(sides),
];
