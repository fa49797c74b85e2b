import {
  listKnownModels,
  readBalance,
  readBalances,
  testChannel,
  testChannels,
} from "@tollgate/contract/api/channel-upstream";
import {
  changeChannel,
  createChannels,
  deleteChannel,
  deleteDisabledChannels,
  getChannel,
  listChannels,
  searchChannels,
} from "@tollgate/contract/api/channels";
import { CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import * as z from "zod/mini";
import { channelAnswer } from "../answer-schemas";
import { answers, type Calls, done, MISSING, refuse } from "../call";
import { newestFirst, nextId, pageOf } from "../select-rows";
import type { StoredChannel } from "../stored-rows";
import { nowSeconds, type World } from "../world";

const find = (world: World, wanted: number): StoredChannel | undefined =>
  world.channels.find(({ id }) => id === wanted);

const hideKey = (channel: StoredChannel) => ({ ...channel, key: "" as const });

/** A channel type without a readable balance. */
const WITHOUT_BALANCE = 14;

/** The channels, for administrators. */
export const channelCalls: Calls = {
  ...answers(listChannels, {
    data: z.array(channelAnswer),
    answer: ({ world, query, dialect }) =>
      done(pageOf(newestFirst(world.channels), query, dialect.rowsPerPage).map(hideKey)),
  }),
  ...answers(searchChannels, {
    data: z.array(channelAnswer),
    answer: ({ world, query }) => {
      const keyword = query.get("keyword") ?? "";
      const found = world.channels.filter(
        ({ id, name, key }) => String(id) === keyword || name.startsWith(keyword) || key === keyword,
      );
      return done(found.map(hideKey));
    },
  }),
  ...answers(listKnownModels, {
    answer: ({ world }) => ({
      kind: "bare",
      body: { object: "list", data: world.models.map((model) => ({ id: model, object: "model" })) },
    }),
  }),
  ...answers(testChannels, { answer: () => done() }),
  ...answers(testChannel, {
    answer: ({ world, id }) => {
      const found = find(world, id);
      if (!found) return MISSING;
      return found.status === CHANNEL_ENABLED
        ? done(undefined, { time: 1.23 })
        : refuse("type , code , message 渠道不可用", "channel not available", { time: 0.1 });
    },
  }),
  ...answers(readBalances, { answer: () => done() }),
  ...answers(readBalance, {
    answer: ({ world, id }) => {
      const found = find(world, id);
      if (!found) return MISSING;
      return found.type === WITHOUT_BALANCE
        ? refuse("尚未实现", "not implemented")
        : done(undefined, { balance: 42.5 });
    },
  }),
  ...answers(getChannel, {
    data: channelAnswer,
    answer: ({ world, id }) => {
      const found = find(world, id);
      return found ? done(hideKey(found)) : MISSING;
    },
  }),
  ...answers(createChannels, {
    answer: ({ world, body }) => {
      for (const key of body.key.split("\n").filter((line) => line !== "")) {
        world.channels.push({
          id: nextId(world.channels),
          type: body.type,
          key,
          status: body.status ?? CHANNEL_ENABLED,
          name: body.name ?? "",
          weight: body.weight ?? 0,
          created_time: nowSeconds(),
          test_time: 0,
          response_time: 0,
          base_url: body.base_url ?? "",
          other: body.other ?? "",
          balance: 0,
          balance_updated_time: 0,
          models: body.models ?? "",
          group: body.group || "default",
          used_quota: 0,
          model_mapping: body.model_mapping ?? "",
          priority: body.priority ?? 0,
        });
      }
      return done();
    },
  }),
  ...answers(changeChannel, {
    data: channelAnswer,
    answer: ({ world, body: { id, base_url, model_mapping, priority, weight, ...plain } }) => {
      const target = find(world, id);
      if (!target) return MISSING;
      // Of these four, any present value is written; of the others, 0 and "" leave a field unchanged.
      for (const [name, value] of Object.entries({ base_url, model_mapping, priority, weight }))
        if (value !== undefined) Object.assign(target, { [name]: value });
      for (const name of ["type", "key", "status", "name", "other", "models", "group"] as const)
        if (plain[name]) Object.assign(target, { [name]: plain[name] });
      return done(hideKey(target));
    },
  }),
  ...answers(deleteDisabledChannels, {
    data: z.int(),
    answer: ({ world }) => {
      const kept = world.channels.filter(({ status }) => status === CHANNEL_ENABLED);
      const count = world.channels.length - kept.length;
      world.channels = kept;
      return done(count);
    },
  }),
  ...answers(deleteChannel, {
    answer: ({ world, id }) => {
      world.channels = world.channels.filter((channel) => channel.id !== id);
      return done();
    },
  }),
};
