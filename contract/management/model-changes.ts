/** Models that an upstream has and a channel does not offer, and models that only the channel has. */
export interface ModelChanges {
  added: string[];
  gone: string[];
}

/**
 * @param offered as clients ask for them. @param mapping to the upstream's names.
 * @param upstream the upstream's names. @param ignored those of them that are never new.
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
