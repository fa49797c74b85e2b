import type { UpstreamTarget } from "../ports";

/** A channel without a weight takes part like one of weight 1; the keys of one channel share its weight. */
const weightOf = (entry: UpstreamTarget): number => Math.max(1, entry.channel.weight) / entry.keyCount;

/**
 * The second step: which channel? Weighted random among the usable ones of the highest priority that has any.
 * @param candidates sorted by priority, the highest first.
 * @param isUsable false for what was tried, or is left alone for now.
 * @param random from 0 to below 1.
 * @param preferredId an entry that is taken when it is among them.
 * @returns undefined when none is usable.
 */
export const choose = (
  candidates: readonly UpstreamTarget[],
  isUsable: (entry: UpstreamTarget) => boolean,
  random: number,
  preferredId?: string,
): UpstreamTarget | undefined => {
  let priority: number | undefined;
  let total = 0;
  const tier: UpstreamTarget[] = [];
  for (const entry of candidates) {
    if (priority !== undefined && entry.channel.priority !== priority) break;
    if (!isUsable(entry)) continue;
    if (entry.id === preferredId) return entry;
    priority = entry.channel.priority;
    tier.push(entry);
    total += weightOf(entry);
  }
  let rest = random * total;
  for (const entry of tier) {
    rest -= weightOf(entry);
    if (rest < 0) return entry;
  }
  return tier.at(-1);
};
