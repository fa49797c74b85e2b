import * as z from "zod/mini";
import { batchDone, batchIds } from "../management/batch";
import { maybe } from "../management/wire";
import { endpoint } from "../resource/endpoint";
import { listOf, plain } from "../resource/resource";
import { priorityNumber, weightNumber } from "./channels";

/* Changes of many channels at once, and the tags by which these are named. */

export const CHANNELS_ACTIONS = ["edit", "enable", "disable", "delete"] as const;
export type ChannelsAction = (typeof CHANNELS_ACTIONS)[number];

/**
 * One action for many channels, those of `ids` or those of `tag`. `edit` writes the given fields, as a change of one
 * channel does; `add_models` and `remove_models` are comma lists that leave a channel's other models.
 */
export const channelsBodySchema = z.object({
  ids: maybe(batchIds),
  tag: maybe(z.string()),
  action: z.enum(CHANNELS_ACTIONS),
  change: maybe(
    z.object({
      group: maybe(z.string()),
      models: maybe(z.string()),
      add_models: maybe(z.string()),
      remove_models: maybe(z.string()),
      model_mapping: maybe(z.string()),
      priority: maybe(priorityNumber),
      weight: maybe(weightNumber),
      tag: maybe(z.string()),
      test_model: maybe(z.string()),
      skip_tests: maybe(z.boolean()),
    }),
  ),
});
export type ChannelsBody = z.output<typeof channelsBodySchema>;

export const changeChannels = endpoint({
  method: "POST",
  path: "/api/channel/batch",
  guard: "admin",
  area: "channels",
  summary: "Edits, enables, disables or deletes many channels: those of `ids`, or those of `tag`",
  body: channelsBodySchema,
  data: batchDone,
  changes: ["channels"],
});

/** The tags that channels have, with how many of them. */
const channelTagSchema = z.object({ tag: z.string(), count: z.int(), enabled: z.int() });
export type ChannelTag = z.output<typeof channelTagSchema>;

/** The most tags of an answer. */
export const MAX_TAGS = 1000;

export const listChannelTags = endpoint({
  method: "GET",
  path: "/api/channel/tags",
  guard: "admin",
  area: "channels",
  summary: `The ${MAX_TAGS} most frequent tags of channels, by name, each with the number of its channels`,
  query: { tag: "Only this tag." },
  data: listOf(plain(channelTagSchema)),
  reads: "channels",
});
