import { type ModelMapping, upstreamNamesOf } from "./model-mapping";

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
  mapping: ModelMapping,
  upstream: readonly string[],
  ignored: readonly string[],
): ModelChanges => {
  const known = new Set([...offered.flatMap((model) => upstreamNamesOf(mapping, model)), ...ignored]);
  const there = new Set(upstream);
  return {
    added: upstream.filter((model) => !known.has(model)),
    // A model with one of its names is still there.
    gone: offered.filter((model) => !upstreamNamesOf(mapping, model).some((name) => there.has(name))),
  };
};
