import { findChannelChanges } from "./channel-changes";
import { findOptionChanges } from "./option-changes";
import type { PlannedChange, Sides } from "./planned-change";

/**
 * What it takes to make options and channels what a file says. Everything is checked as the server would check it.
 * @throws FileFault with the line of what the server would refuse.
 */
export const findChanges = (sides: Sides): PlannedChange[] => [
  ...findOptionChanges(sides),
  ...findChannelChanges(sides),
];
