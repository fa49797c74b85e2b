import * as z from "zod/mini";
import { channelUseSchema } from "../management/channel-limits";
import { channelChoiceSchema } from "../management/group-routing";
import { endpoint } from "../resource/endpoint";
import { listOf, plain } from "../resource/resource";

/* Measurements of channels: the use of their limits, their traffic, their speed. */

/** How many channels one call may ask for: as many as a page of the list has at most. */
export const MAX_NAMED_CHANNELS = 1000;

const CHANNEL_IDS_PARAMETER = `Numbers of channels with commas between them, ${MAX_NAMED_CHANNELS} at most`;

export const listChannelUse = endpoint({
  method: "GET",
  path: "/api/channel/use",
  guard: "admin",
  area: "channels",
  summary:
    "The present use of the channels' limits, and the number of requests that wait for them on the answering node; leaves out channels without limits",
  query: { ids: `${CHANNEL_IDS_PARAMETER}; default: all channels.` },
  data: listOf(plain(channelUseSchema)),
  reads: "channels",
});

/** The hours of which a channel's traffic is told, the one that has not ended among them. */
export const TRAFFIC_HOURS = 24;

/** Traffic of a channel in the last 24 hours. */
const channelTrafficSchema = z.object({
  id: z.int(),
  /** Requests that it answered, and those that came to nothing on it. */
  requests: z.int(),
  errors: z.int(),
  /** Quota charged for them. */
  quota: z.int(),
  /** Both kinds of requests, hour by hour, the newest last. */
  course: z.array(z.int()),
});
export type ChannelTraffic = z.output<typeof channelTrafficSchema>;

export const listChannelTraffic = endpoint({
  method: "GET",
  path: "/api/channel/traffic",
  guard: "admin",
  area: "channels",
  summary: "The traffic of channels in the last 24 hours; leaves out channels without a request",
  query: { ids: `${CHANNEL_IDS_PARAMETER}.` },
  data: listOf(plain(channelTrafficSchema)),
  reads: "usage",
});

export const listChannelChoices = endpoint({
  method: "GET",
  path: "/api/channel/choice/:id",
  guard: "admin",
  area: "channels",
  summary:
    "The recent speed of a channel, as measured by the answering node, and the buying prices of its models",
  data: listOf(plain(channelChoiceSchema)),
  reads: "channels",
});
