import { changeChannels, listChannelTags } from "@tollgate/contract/api/channel-batches";
import {
  balanceOf,
  CHANNEL_FILTERS,
  CHANNEL_SORTS,
  type Channel,
  type ChannelSort,
  changeChannel,
  copyChannel,
  createChannels,
  deleteChannel,
  deleteDisabledChannels,
  getChannel,
  listChannels,
  searchChannels,
} from "@tollgate/contract/api/channels";
import { hideHeaders, writeOverrides } from "@tollgate/contract/management/channel-overrides";
import type { ChannelChange, ChannelRecord } from "@tollgate/contract/records/channel-record";
import type { ListSort } from "@tollgate/contract/resource/list-sort";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { implement, readFilter, readListPage } from "../route";
import type { Services } from "../services";
import { MAX_RESULTS_FOR_ADMINS, readFoundPart, readLimit, truncateResults } from "../truncate-results";
import { changeMany, tagsOf } from "./channel-batch";
import { MAX_NAME, readChannelChange, readName, readNewChannels } from "./channel-fields";
import { splitDocuments } from "./split-keys";

/** A change as it may be written down. */
const asNoted = ({ ifRouteUnchanged: _, ...change }: ChannelChange): Record<string, unknown> => {
  if (!("requestChanges" in change)) return change;
  const { requestChanges, ...plain } = change;
  return { ...plain, overrides: requestChanges ? writeOverrides(hideHeaders(requestChanges)) : "" };
};

/** A channel for display: with its remaining balance. */
const shown = ({ options }: Services, channel: Channel): Channel => ({
  ...channel,
  balance: balanceOf(channel, options.number("QuotaPerUnit")),
});

/** A channel with its secrets, as it is stored. */
const findRecord = async ({ storage }: Services, id: number): Promise<ChannelRecord> => {
  const [record] = await storage.read.channels.withIds([id]);
  if (!record) throw new Failure("record-not-found");
  return record;
};

/** Typed balances are counted down in quota, and sorted as such. */
const inQuota = ({ options }: Services, sort: ListSort<ChannelSort> | undefined) =>
  sort && { ...sort, quotaPerUnit: options.number("QuotaPerUnit") };

/** Upstream channels (contract section 1.6). */
export const channelRoutes = [
  implement(listChannels, async ({ services, query }) => {
    const [offset, limit, sort] = readListPage(query, CHANNEL_SORTS);
    const found = await services.storage.read.channels.page(
      offset,
      limit,
      inQuota(services, sort),
      readFilter(query, CHANNEL_FILTERS),
    );
    return found.map((channel) => shown(services, channel));
  }),

  implement(searchChannels, async ({ services, query, reply }) => {
    const keyword = (query.keyword ?? "").trim();
    // Keys that are documents are stored without their blanks.
    const [pasted] = splitDocuments(keyword);
    const limit = readLimit(query, MAX_RESULTS_FOR_ADMINS);
    const [offset, size, sort] = readFoundPart(query, CHANNEL_SORTS, limit);
    const found = await services.storage.read.channels.page(
      offset,
      size,
      inQuota(services, sort),
      readFilter(query, CHANNEL_FILTERS),
      keyword,
      pasted?.key,
    );
    return truncateResults(found, limit, reply).map((channel) => shown(services, channel));
  }),

  implement(getChannel, async ({ services, params }) => {
    const channel = existing(await services.storage.read.channels.find(params.id));
    return shown(services, channel);
  }),

  implement(createChannels, async (context) => {
    const { channels, now } = context.services;
    for (const { id, name, type } of await channels.create(readNewChannels(context.body, now())))
      await audit(context.services, context, "channel.create", id, { name, type });
    return undefined;
  }),

  implement(copyChannel, async (context) => {
    const { services, params, body } = context;
    const { channels, now } = services;
    const known = channels.nameOf(params.id);
    const name = body.name.trim() || context.formatMessage("channel-copy-name", { name: known });
    const copy = await channels.copy(params.id, readName([...name].slice(0, MAX_NAME).join("")), now());
    if (!copy) throw new Failure("record-not-found");
    await audit(services, context, "channel.copy", copy.id, { of: params.id, name: copy.name });
    return shown(services, copy);
  }),

  implement(changeChannel, async (context) => {
    const { services, body } = context;
    const { channel: known, requestChanges } = await findRecord(services, body.id);
    const change = readChannelChange(body, known, requestChanges);
    const channel = await services.channels.change(body.id, change);
    if (!channel) {
      const isThere =
        change.ifRouteUnchanged !== undefined && services.channels.recordOf(body.id) !== undefined;
      if (!isThere) throw new Failure("record-not-found");
      throw new Failure(change.key === undefined ? "channel-headers-again" : "channel-key-again");
    }
    await audit(services, context, "channel.update", body.id, asNoted(change));
    return shown(services, channel);
  }),

  implement(changeChannels, (context) => {
    const { services, body, formatMessage } = context;
    return changeMany(
      body,
      services.channels,
      ({ key, params }) => formatMessage(key, params),
      (channel, change) =>
        change === "deleted"
          ? audit(services, context, "channel.delete", channel.id)
          : audit(services, context, "channel.update", channel.id, { ...change }),
    );
  }),

  implement(listChannelTags, ({ services, query }) => tagsOf(services.channels, query.tag)),

  implement(deleteDisabledChannels, async (context) => {
    const ids = await context.services.channels.removeDisabled();
    await audit(context.services, context, "channel.delete-disabled", ids.join(","));
    return ids.length;
  }),

  implement(deleteChannel, async (context) => {
    const { id } = context.params;
    if (id <= 0) throw new Failure("invalid-parameter");
    await context.services.channels.remove(id);
    await audit(context.services, context, "channel.delete", id);
    return undefined;
  }),
];
