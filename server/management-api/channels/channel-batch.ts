import { type ChannelsBody, type ChannelTag, MAX_TAGS } from "@tollgate/contract/api/channel-batches";
import {
  type Channel,
  type UpdateChannelBody,
  updateChannelBodySchema,
} from "@tollgate/contract/api/channels";
import type { BatchDone } from "@tollgate/contract/management/batch";
import type { ChannelChange, ChannelRecord } from "@tollgate/contract/records/channel-record";
import { splitList } from "@tollgate/contract/values/split-list";
import { CHANNEL_DISABLED_BY_HAND, CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import { Failure } from "../failure";
import { readChannelChange } from "./channel-fields";

/*
 * One change of many channels: of those that are named, or of those that have a tag.
 */

/** A channel with its overrides, which go together with some of its fields. */
type Known = Pick<ChannelRecord, "channel" | "requestChanges">;

/** Edits of single channels. */
export interface ChannelEdits {
  overview(): Iterable<Known>;
  change(id: number, change: ChannelChange): Promise<Channel | undefined>;
  remove(id: number): Promise<void>;
}

/**
 * The channels that a body means, in the order of their ids.
 * @throws Failure where it names none, or names channels in both ways.
 */
const meantBy = ({ ids, tag }: ChannelsBody, channels: Pick<ChannelEdits, "overview">): Known[] => {
  const wanted = tag?.trim() ?? "";
  if ((ids === undefined) === (wanted === "")) throw new Failure("invalid-parameter");
  const named = new Set(ids);
  return [...channels.overview()]
    .filter(({ channel }) => (ids === undefined ? channel.tag === wanted : named.has(channel.id)))
    .sort((a, b) => a.channel.id - b.channel.id);
};

/** A channel's models after adding some and removing others. */
const modelsAfter = ({ models }: Channel, added: string, removed: string): string => {
  const gone = new Set(splitList(removed));
  return splitList([...models, ...splitList(added)].join(",").replaceAll("\n", ","))
    .filter((model) => !gone.has(model))
    .join(",");
};

/** The edit of one channel within a change of many. @throws Failure */
const bodyFor = (channel: Channel, { action, change }: ChannelsBody): UpdateChannelBody => {
  if (action !== "edit") {
    const status = action === "enable" ? CHANNEL_ENABLED : CHANNEL_DISABLED_BY_HAND;
    return updateChannelBodySchema.parse({ id: channel.id, status });
  }
  const added = change?.add_models ?? "";
  const removed = change?.remove_models ?? "";
  const changesModels = added !== "" || removed !== "";
  if (changesModels && change?.models !== undefined) throw new Failure("invalid-parameter");
  const models = changesModels ? modelsAfter(channel, added, removed) : change?.models;
  // Without any, it would be left as it is.
  if (models === "" && changesModels) throw new Failure("channel-models-missing");
  return updateChannelBodySchema.parse({ ...change, id: channel.id, models });
};

/**
 * Applies a body to each of its channels. Everything is validated before anything is changed: an invalid channel leads
 * to an error, not to half a change.
 * @param formatFailure returns the sentence of a failure.
 * @returns the number of changed channels, and those that failed.
 * @throws Failure where the body names no possible change.
 */
export const changeMany = async (
  body: ChannelsBody,
  channels: ChannelEdits,
  formatFailure: (failure: Failure) => string,
  onChanged: (channel: Channel, change: ChannelChange | "deleted") => Promise<void>,
): Promise<BatchDone> => {
  const meant = meantBy(body, channels);
  if (meant.length === 0) throw new Failure("record-not-found");
  if (body.action === "edit" && Object.values(body.change ?? {}).every((value) => value === undefined))
    throw new Failure("invalid-parameter");
  const failed: BatchDone["failed"] = [];
  const fail = ({ id, name }: Channel, failure: unknown): void => {
    if (!(failure instanceof Failure)) throw failure;
    failed.push({ id, name, reason: formatFailure(failure) });
  };
  const steps: (readonly [Channel, ChannelChange | "deleted"])[] = [];
  for (const { channel, requestChanges } of meant) {
    try {
      const change =
        body.action === "delete"
          ? "deleted"
          : readChannelChange(bodyFor(channel, body), channel, requestChanges);
      steps.push([channel, change]);
    } catch (failure) {
      fail(channel, failure);
    }
  }
  let done = 0;
  for (const [channel, change] of steps) {
    if (change === "deleted") await channels.remove(channel.id);
    else if (!(await channels.change(channel.id, change))) {
      fail(channel, new Failure("record-not-found"));
      continue;
    }
    done += 1;
    await onChanged(channel, change);
  }
  return { done, failed };
};

const compareTags = (a: ChannelTag, b: ChannelTag): number => (a.tag < b.tag ? -1 : 1);

/** The tags that most channels have, by name. @param only counts this tag alone. */
export const tagsOf = (channels: Pick<ChannelEdits, "overview">, only = ""): ChannelTag[] => {
  const tags = new Map<string, ChannelTag>();
  for (const { channel } of channels.overview()) {
    if (channel.tag === "" || (only !== "" && channel.tag !== only)) continue;
    const known = tags.get(channel.tag) ?? { tag: channel.tag, count: 0, enabled: 0 };
    known.count += 1;
    if (channel.status === CHANNEL_ENABLED) known.enabled += 1;
    tags.set(channel.tag, known);
  }
  const mostUsed = [...tags.values()].sort((a, b) => b.count - a.count || compareTags(a, b));
  return mostUsed.slice(0, MAX_TAGS).sort(compareTags);
};
