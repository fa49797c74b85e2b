/** What an upstream has that a channel does not offer, and what the channel offers that the upstream does not have. */
export interface ModelChanges {
  added: string[];
  gone: string[];
}

/**
 * @param offered as clients ask for them. @param mapping how the upstream is asked for them.
 * @param upstream the names that the upstream tells. @param ignored those of them that are never new.
 */
export const modelChanges = (
  offered: readonly string[],
  mapping: Readonly<Record<string, string>>,
  upstream: readonly string[],
  ignored: readonly string[],
): ModelChanges => {
  const names = new Map(Object.entries(mapping));
  const upstreamName = (model: string): string => names.get(model) ?? model;
  const known = new Set([...offered.map(upstreamName), ...ignored]);
  const there = new Set(upstream);
  return {
    added: upstream.filter((model) => !known.has(model)),
    gone: offered.filter((model) => !there.has(upstreamName(model))),
  };
};
