import {
  type Channel,
  channelsBodySchema,
  channelsDoneSchema,
  channelTagSchema,
  channelWireSchema,
  copyChannelBodySchema,
  createChannelBodySchema,
  encodeChannel,
  type FetchModelsBody,
  fetchedModelsSchema,
  fetchModelsBodySchema,
  typedBalanceBodySchema,
  updateChannelBodySchema,
} from "@tollgate/contract/management/channel";
import { channelUseSchema } from "@tollgate/contract/management/channel-limits";
import { hideHeaders, writeOverrides } from "@tollgate/contract/management/channel-overrides";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { channelChoiceSchema } from "@tollgate/contract/management/group-routing";
import type { ChannelChange, ChannelRecord } from "@tollgate/contract/records/channel-record";
import { PAGE_PARAMETER } from "@tollgate/contract/resource/endpoint";
import type { UpstreamTarget } from "@tollgate/relay/ports";
import { createUpstreamTargets } from "@tollgate/relay/routing/upstream-target";
import { findVendor } from "@tollgate/vendors/vendors";
import { z } from "zod/mini";
import { LANGUAGES } from "../../locales/languages";
import { sayProbeReason } from "../../locales/say-upstream-fault";
import { listModels } from "../../relay-api/models";
import { ignoredModels } from "../../upstream-models/ignored-models";
import { audit } from "../audit";
import { Failure } from "../failure";
import { Answer, type Route, readInteger, readPage, route } from "../route";
import type { Services } from "../services";
import { MAX_RESULTS_FOR_ADMINS, truncateResults } from "../truncate-results";
import { changeChannels, tagsOf } from "./channel-batch";
import { channelChoices } from "./channel-choices";
import {
  NAME_MAX,
  readChannelChange,
  readChannelToAsk,
  readChannelToAskAgain,
  readName,
  readNewChannels,
} from "./channel-fields";
import { splitDocuments } from "./split-keys";

/** What a channel that nobody keeps has besides what was typed. */
const NO_CHANNEL = {
  id: 0,
  testTime: 0,
  responseTimeMs: 0,
  balance: 0,
  balanceUpdatedTime: 0,
  usedQuota: 0,
  keyCount: 1,
  deadKeyCount: 0,
  closedUntil: 0,
  usedRequests: 0,
  spentSinceTyped: 0,
};

/** A change as it may be written down. */
const asNoted = ({ whileOnWay: _, ...change }: ChannelChange): Record<string, unknown> => {
  if (!("requestChanges" in change)) return change;
  const { requestChanges, ...plain } = change;
  return { ...plain, overrides: requestChanges ? writeOverrides(hideHeaders(requestChanges)) : "" };
};

/** Upstream channels (contract section 1.6). */
export const channelRoutes = (services: Services): Route[] => {
  const {
    channels,
    storage,
    options,
    pricing,
    channelTests,
    balances,
    upstreamModels,
    notices,
    now,
    logger,
  } = services;
  const encode = (channel: Channel) => encodeChannel(channel, options.number("QuotaPerUnit"));

  const updateBalance = async (id: number): Promise<number> => {
    const [entry] = channels.keysOf(id);
    if (!entry) throw new Failure("record-not-found");
    const balance = await balances.read(entry);
    await storage.write.channels.saveBalance(id, balance, now());
    const threshold = options.number("UpstreamBalanceThreshold");
    if (balance < threshold)
      notices.raise({
        event: "upstream-balance-low",
        subject: id,
        params: { id, name: channels.nameOf(id), balance, threshold },
      });
    return balance;
  };

  /** A channel with its secrets, as it is stored. */
  const findRecord = async (id: number): Promise<ChannelRecord> => {
    const [record] = await storage.read.channels.withIds([id]);
    if (!record) throw new Failure("record-not-found");
    return record;
  };

  /** How a channel is reached as it stands in a form. A stored key goes nowhere but where it is stored for. */
  const targetToAsk = (body: FetchModelsBody): UpstreamTarget => {
    const { id } = body;
    if (id === undefined) {
      const asked = readChannelToAsk(body);
      const [target] = asked ? createUpstreamTargets({ ...NO_CHANNEL, ...asked }, asked) : [];
      if (!target) throw new Failure("channel-unusable");
      return target;
    }
    // One and the same record is read and asked with: what is stored may change meanwhile.
    const record = channels.recordOf(id);
    if (!record) throw new Failure("record-not-found");
    const { channel: known, requestChanges } = record;
    const [target] = channels.targetsAfter(id, readChannelToAskAgain(body, known, requestChanges));
    if (!target) throw new Failure("channel-unusable");
    return target;
  };

  const fetchModels = async (target: UpstreamTarget): Promise<string[]> => {
    const list = await upstreamModels.list(target);
    switch (list.kind) {
      case "models":
        return list.models;
      case "status":
        throw new Failure(
          list.status === 401 || list.status === 403 ? "models-key-refused" : "models-status",
          {
            status: list.status,
          },
        );
      case "unreachable":
      case "unreadable":
      case "unsupported":
        throw new Failure(`models-${list.kind}`);
    }
  };

  return [
    route({
      method: "GET",
      path: "/api/channel",
      guard: "admin",
      summary: "A page of the channels",
      query: PAGE_PARAMETER,
      data: z.array(channelWireSchema),
      async answer({ query }) {
        return (await storage.read.channels.page(readPage(query) * PAGE_SIZE, PAGE_SIZE)).map(encode);
      },
    }),
    route({
      method: "GET",
      path: "/api/channel/search",
      guard: "admin",
      summary: "Channels by id, by the beginning of the name, by tag, or by one whole key",
      query: { keyword: "An id, how a name begins, a tag, or a whole key." },
      data: z.array(channelWireSchema),
      async answer({ query, reply }) {
        const keyword = (query.keyword ?? "").trim();
        // Keys that are documents are stored without their blanks.
        const [pasted] = splitDocuments(keyword);
        const found = await storage.read.channels.search(keyword, MAX_RESULTS_FOR_ADMINS + 1, pasted?.key);
        return truncateResults(found, MAX_RESULTS_FOR_ADMINS, reply).map(encode);
      },
    }),
    route({
      method: "GET",
      path: "/api/channel/use",
      guard: "admin",
      summary:
        "What is used of the limits of channels now, and how many requests of the answering node wait for them; channels without limits are left out",
      data: z.array(channelUseSchema),
      answer: () => services.channelUse(channels.limited()),
    }),
    route({
      method: "GET",
      path: "/api/channel/choice/:id",
      guard: "admin",
      summary:
        "How fast a channel answered lately, as the answering node measured it, and what its models are bought at",
      data: z.array(channelChoiceSchema),
      async answer({ params }) {
        const channel = await storage.read.channels.find(readInteger(params.id));
        if (!channel) throw new Failure("record-not-found");
        const speeds = services.speedsOf(channels.keysOf(channel.id));
        return channelChoices(channel, speeds, pricing);
      },
    }),
    route({
      method: "GET",
      path: "/api/channel/models",
      guard: "admin",
      summary: "Every model that the gateway knows by name; answers without `success`",
      answer: () => new Answer({ object: "list", data: listModels() }),
    }),
    route({
      method: "GET",
      path: "/api/channel/test",
      guard: "admin",
      summary: "Starts a test of all enabled channels",
      changesState: true,
      answer() {
        if (!channelTests.start()) throw new Failure("channel-test-running");
        return undefined;
      },
    }),
    route({
      method: "GET",
      path: "/api/channel/test/:id",
      guard: "admin",
      summary:
        "Tests a channel, with the model that `model` names or its own; answers the time in seconds beside the data",
      query: { model: "Which model is asked; without it the channel's own." },
      changesState: true,
      async answer({ params, query, language, say }) {
        const model = (query.model ?? "").trim();
        const { timeMs, reason } = await channelTests.test(
          readInteger(params.id),
          model === "" ? undefined : model,
        );
        const time = timeMs / 1000;
        if (reason === undefined) return new Answer({ time });
        const message = say("channel-test-failed", { reason: sayProbeReason(LANGUAGES[language], reason) });
        return new Answer({ success: false, message, time });
      },
    }),
    route({
      method: "GET",
      path: "/api/channel/update_balance",
      guard: "admin",
      summary: "Reads the balances of all enabled channels",
      changesState: true,
      async answer() {
        for (const channel of channels.enabled()) {
          if (findVendor(channel.type)?.balance === undefined) continue;
          try {
            const balance = await updateBalance(channel.id);
            const isEmpty = balance <= 0 && options.isOn("AutomaticDisableChannelEnabled");
            if (isEmpty) channels.disable(channel.id, { code: "balance-used-up" });
          } catch (error) {
            logger.warn({ channelId: channel.id, error: String(error) }, "a balance could not be read");
          }
        }
        return undefined;
      },
    }),
    route({
      method: "GET",
      path: "/api/channel/update_balance/:id",
      guard: "admin",
      summary: "Reads a channel's balance, which it answers beside the data",
      changesState: true,
      async answer({ params }) {
        return new Answer({ balance: await updateBalance(readInteger(params.id)) });
      },
    }),
    route({
      method: "PUT",
      path: "/api/channel/balance",
      guard: "admin",
      summary:
        "Sets a channel's balance by hand, USD, to be counted down by what its answers cost; null ends that",
      body: typedBalanceBodySchema,
      async answer(context) {
        const { id, balance } = context.body;
        if (!(await storage.write.channels.saveTypedBalance(id, balance ?? undefined, now())))
          throw new Failure("record-not-found");
        await audit(services, context, "channel.balance", id, { balance });
        return undefined;
      },
    }),
    route({
      method: "POST",
      path: "/api/channel/fetch_models",
      guard: "admin",
      summary:
        "Asks an upstream for its models, with a channel that is saved or still typed; changes nothing",
      body: fetchModelsBodySchema,
      data: fetchedModelsSchema,
      async answer({ body }) {
        const models = await fetchModels(targetToAsk(body));
        return { models, ignored: ignoredModels(models, options.text("IgnoredModels")) };
      },
    }),
    route({
      method: "GET",
      path: "/api/channel/:id",
      guard: "admin",
      summary: "One channel",
      data: channelWireSchema,
      async answer({ params }) {
        const channel = await storage.read.channels.find(readInteger(params.id));
        if (!channel) throw new Failure("record-not-found");
        return encode(channel);
      },
    }),
    route({
      method: "POST",
      path: "/api/channel",
      guard: "admin",
      summary: "Adds a channel for every line of the key, or one with all of them",
      body: createChannelBodySchema,
      async answer(context) {
        const { body } = context;
        for (const channel of await channels.create(readNewChannels(body, now()))) {
          await audit(services, context, "channel.create", channel.id, {
            name: channel.name,
            type: channel.type,
          });
        }
        return undefined;
      },
    }),
    route({
      method: "POST",
      path: "/api/channel/copy/:id",
      guard: "admin",
      summary: "Adds a channel that is as this one is, its keys included, switched off; answers it",
      data: channelWireSchema,
      body: copyChannelBodySchema,
      async answer(context) {
        const id = readInteger(context.params.id);
        const known = channels.nameOf(id);
        const name = context.body.name.trim() || context.say("channel-copy-name", { name: known });
        const copy = await channels.copy(id, readName([...name].slice(0, NAME_MAX).join("")), now());
        if (!copy) throw new Failure("record-not-found");
        await audit(services, context, "channel.copy", copy.id, { of: id, name: copy.name });
        return encode(copy);
      },
    }),
    route({
      method: "GET",
      path: "/api/channel/tags",
      guard: "admin",
      summary: "The tags that channels have, with how many of them",
      data: z.array(channelTagSchema),
      answer: () => tagsOf(channels),
    }),
    route({
      method: "POST",
      path: "/api/channel/batch",
      guard: "admin",
      summary: "Edits, switches or deletes many channels: those of `ids`, or those of `tag`",
      data: channelsDoneSchema,
      body: channelsBodySchema,
      answer: (context) =>
        changeChannels(
          context.body,
          channels,
          ({ key, params }) => context.say(key, params),
          (channel, change) =>
            change === "deleted"
              ? audit(services, context, "channel.delete", channel.id)
              : audit(services, context, "channel.update", channel.id, { ...change }),
        ),
    }),
    route({
      method: "PUT",
      path: "/api/channel",
      guard: "admin",
      summary: "Changes a channel",
      data: channelWireSchema,
      body: updateChannelBodySchema,
      async answer(context) {
        const { body } = context;
        const { channel: known, requestChanges } = await findRecord(body.id);
        const change = readChannelChange(body, known, requestChanges);
        const channel = await channels.change(body.id, change);
        if (!channel) {
          const isThere = change.whileOnWay !== undefined && channels.recordOf(body.id) !== undefined;
          if (!isThere) throw new Failure("record-not-found");
          throw new Failure(change.key === undefined ? "channel-headers-again" : "channel-key-again");
        }
        await audit(services, context, "channel.update", body.id, asNoted(change));
        return encode(channel);
      },
    }),
    route({
      method: "DELETE",
      path: "/api/channel/disabled",
      guard: "admin",
      summary: "Deletes the channels that are switched off; answers how many",
      data: z.int(),
      async answer(context) {
        const ids = await channels.removeDisabled();
        await audit(services, context, "channel.delete-disabled", ids.join(","));
        return ids.length;
      },
    }),
    route({
      method: "DELETE",
      path: "/api/channel/:id",
      guard: "admin",
      summary: "Deletes a channel",
      async answer(context) {
        const id = readInteger(context.params.id);
        if (id <= 0) throw new Failure("invalid-parameter");
        await channels.remove(id);
        await audit(services, context, "channel.delete", id);
        return undefined;
      },
    }),
  ];
};
