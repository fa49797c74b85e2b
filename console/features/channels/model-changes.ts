import { parseModelMapping } from "@tollgate/contract/management/channel";

/** What an upstream has that a channel does not offer, and what the channel offers that the upstream does not have. */
export interface ModelChanges {
  added: string[];
  gone: string[];
}

/**
 * @param offered as clients ask for them. @param mapping JSON text: how the upstream is asked for them.
 * @param upstream the names that the upstream tells.
 */
export const modelChanges = (
  offered: readonly string[],
  mapping: string,
  upstream: readonly string[],
): ModelChanges => {
  const names = new Map(Object.entries(parseModelMapping(mapping) ?? {}));
  const upstreamName = (model: string): string => names.get(model) ?? model;
  const asked = new Set(offered.map(upstreamName));
  const there = new Set(upstream);
  return {
    added: upstream.filter((model) => !asked.has(model)),
    gone: offered.filter((model) => !there.has(upstreamName(model))),
  };
};
