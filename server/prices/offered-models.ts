import type { Channel } from "@tollgate/contract/api/channels";
import { upstreamNamesOf } from "@tollgate/contract/management/model-mapping";
import { MAX_OFFERING } from "@tollgate/contract/management/price-sync";

/** A model under the name for its price: the one at the upstream. */
export interface OfferedModel {
  /** The first channels that offer it, and the first names that clients ask for. */
  channels: { id: number; name: string; models: string[] }[];
  /** How many channels offer it, and the last of them. */
  channelCount: number;
  lastChannelId: number;
}

/** Models offered by channels, by the name under which their price is found (after the channel's mapping). */
export const offeredModels = (
  channels: readonly Pick<Channel, "id" | "name" | "models" | "modelMapping">[],
): Map<string, OfferedModel> => {
  const offered = new Map<string, OfferedModel>();
  for (const { id, name, models, modelMapping } of channels) {
    const named = models.flatMap((asked) =>
      upstreamNamesOf(modelMapping, asked).map((model) => ({ asked, model })),
    );
    for (const { asked, model } of named) {
      const known = offered.get(model);
      if (!known) {
        const channels = [{ id, name, models: [asked] }];
        offered.set(model, { channels, channelCount: 1, lastChannelId: id });
      } else if (known.lastChannelId !== id) {
        known.channelCount += 1;
        known.lastChannelId = id;
        if (known.channels.length < MAX_OFFERING) known.channels.push({ id, name, models: [asked] });
      } else {
        const last = known.channels.at(-1);
        if (last?.id === id && last.models.length < MAX_OFFERING) last.models.push(asked);
      }
    }
  }
  return offered;
};
