import type { Channel } from "@tollgate/contract/api/channels";
import type { ChannelChoice } from "@tollgate/contract/management/group-routing";
import type { MeasuredSpeed } from "@tollgate/relay/routing/speeds";
import { upstreamModelOf } from "@tollgate/relay/routing/upstream-target";
import type { SitePricing } from "../../state/pricing";

/** An average that grows. */
class Average {
  private sum = 0;
  private count = 0;

  add(value: number): void {
    this.sum += value;
    this.count += 1;
  }

  /** A whole number; undefined where nothing was added. */
  get value(): number | undefined {
    return this.count === 0 ? undefined : Math.round(this.sum / this.count);
  }
}

/**
 * The values by which a channel is chosen for each of its models; models without known values are omitted.
 * @param speeds of all of its keys.
 */
export const channelChoices = (
  channel: Pick<Channel, "id" | "models" | "modelMapping">,
  speeds: readonly MeasuredSpeed[],
  { usualCost }: Pick<SitePricing, "usualCost">,
): ChannelChoice[] => {
  const measured = new Map<string, { streams: Average; wholes: Average }>();
  for (const { model, isStream, firstByteMs } of speeds) {
    const known = measured.get(model) ?? { streams: new Average(), wholes: new Average() };
    measured.set(model, known);
    (isStream ? known.streams : known.wholes).add(firstByteMs);
  }
  return channel.models.flatMap((model) => {
    const known = {
      stream_ms: measured.get(model)?.streams.value,
      whole_ms: measured.get(model)?.wholes.value,
      usual_cost: usualCost?.(channel.id, upstreamModelOf(channel, model)),
    };
    return Object.values(known).some((each) => each !== undefined) ? [{ model, ...known }] : [];
  });
};
