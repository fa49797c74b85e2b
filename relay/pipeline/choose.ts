import type { ChannelEntry } from "../ports";

/** A channel without a weight takes part like one of weight 1. */
const weightOf = (entry: ChannelEntry): number => Math.max(1, entry.channel.weight);

/**
 * The second step: which channel? Weighted random among the untried ones of the highest priority.
 * @param candidates sorted by priority, the highest first.
 * @param random from 0 to below 1.
 * @returns undefined when every candidate was tried.
 */
export const choose = (
  candidates: readonly ChannelEntry[],
  tried: ReadonlySet<number>,
  random: number,
): ChannelEntry | undefined => {
  let priority: number | undefined;
  let total = 0;
  const tier: ChannelEntry[] = [];
  for (const entry of candidates) {
    if (priority !== undefined && entry.channel.priority !== priority) break;
    if (tried.has(entry.channel.id)) continue;
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

/** Chooses again and again: lower priorities come into play once the higher ones are used up. */
export const chooseFrom = (
  candidates: readonly ChannelEntry[],
  tried: ReadonlySet<number>,
  random: () => number,
): ChannelEntry | undefined => {
  let left = candidates;
  while (left.length > 0) {
    const chosen = choose(left, tried, random());
    if (chosen) return chosen;
    const priority = left[0]?.channel.priority;
    left = left.filter((entry) => entry.channel.priority !== priority);
  }
  return undefined;
};
