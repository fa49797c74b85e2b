import type { Channel } from "@tollgate/contract/api/channels";
import { upstreamModelOf } from "@tollgate/relay/routing/upstream-target";

/** A model under the name for its price: the one at the upstream. */
export interface OfferedModel {
  /** The channels that offer it, and the names that clients ask for. */
  channels: { id: number; name: string; models: string[] }[];
}

/** Models offered by channels, by the name under which their price is found (after the channel's mapping). */
export const offeredModels = (
  channels: readonly Pick<Channel, "id" | "name" | "models" | "modelMapping">[],
): Map<string, OfferedModel> => {
  const offered = new Map<string, OfferedModel>();
  for (const { id, name, models, modelMapping } of channels) {
    for (const asked of models) {
      const model = upstreamModelOf({ modelMapping }, asked);
      const known = offered.get(model) ?? { channels: [] };
      offered.set(model, known);
      const last = known.channels.at(-1);
      if (last?.id === id) last.models.push(asked);
      else known.channels.push({ id, name, models: [asked] });
    }
  }
  return offered;
};
