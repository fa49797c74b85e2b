import type { Channel } from "@tollgate/contract/api/channels";
import { upstreamModelOf } from "@tollgate/relay/routing/upstream-target";

/** A model as a price is looked for: under the name that the upstream is asked for. */
export interface OfferedModel {
  /** The channels that offer it, and the names that clients ask for. */
  channels: { id: number; name: string; models: string[] }[];
}

/** What channels offer, by the name under which its price is looked for (after the channel's mapping). */
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
