import type { UpstreamTarget } from "../ports/directory";

/** A channel without a weight takes part like one of weight 1; the keys of one channel share its weight. */
const weightOf = (entry: UpstreamTarget): number => Math.max(1, entry.channel.weight) / entry.keyCount;

/**
 * The second step: choosing a channel. Weighted random among the usable ones of the highest priority that has any;
 * among the best of these, if they are ranked.
 * @param candidates sorted by priority, the highest first.
 * @param isUsable false for tried or currently paused ones.
 * @param random from 0 to below 1.
 * @param preferredId an entry that is taken if it is among them.
 * @param rankOf the rank of an entry, lower is better; undefined means unknown and sorts last.
 * @returns undefined when none is usable.
 */
export const choose = (
  candidates: readonly UpstreamTarget[],
  isUsable: (entry: UpstreamTarget) => boolean,
  random: number,
  preferredId?: string,
  rankOf?: (entry: UpstreamTarget) => number | undefined,
): UpstreamTarget | undefined => {
  let priority: number | undefined;
  let total = 0;
  let best = Number.POSITIVE_INFINITY;
  const tier: UpstreamTarget[] = [];
  for (const entry of candidates) {
    if (priority !== undefined && entry.channel.priority !== priority) break;
    if (!isUsable(entry)) continue;
    if (entry.id === preferredId) return entry;
    priority = entry.channel.priority;
    if (rankOf !== undefined) {
      const rank = rankOf(entry) ?? Number.POSITIVE_INFINITY;
      if (rank > best) continue;
      if (rank < best) {
        best = rank;
        tier.length = 0;
        total = 0;
      }
    }
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
