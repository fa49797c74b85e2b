import {
  type Channel,
  channelWireSchema,
  createChannelBodySchema,
  encodeChannel,
  parseModelMapping,
  splitList,
  updateChannelBodySchema,
} from "@tollgate/contract/control/channel";
import { PAGE_SIZE } from "@tollgate/contract/control/envelope";
import { readGroups } from "@tollgate/contract/control/group";
import type { ChannelChange, NewChannel } from "@tollgate/contract/records/channel-record";
import { CHANNEL_DISABLED_BY_HAND, CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import { stripEnd } from "@tollgate/contract/values/strip-end";
import type { ProbeResult } from "@tollgate/relay/probe";
import { readKeyParts } from "@tollgate/relay/routing/key-parts";
import { isRegion } from "@tollgate/relay/routing/region-address";
import type { Vendor } from "@tollgate/vendors/define-vendor";
import { findVendor } from "@tollgate/vendors/vendors";
import { z } from "zod/mini";
import { listModels } from "../gateway/models";
import { audit } from "./audit";
import { Failure } from "./failure";
import { cutFound, MOST_FOUND_BY_ADMINS } from "./found-rows";
import { Answer, type Route, readInteger, readPage, route } from "./route";
import type { Services } from "./services";
import { splitDocuments, splitLines } from "./split-keys";

const NAME_MAX = 100;

const readVendor = (type: number): Vendor => {
  const vendor = findVendor(type);
  if (!vendor) throw new Failure("channel-type-unknown", { type });
  return vendor;
};

/** Keys travel in a header: printable ASCII without blanks. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

/** @throws Failure that names the line of a key that cannot be one, and never the key. */
const readKeys = (text: string, vendor: Vendor): string[] => {
  const mayBeDocument = vendor.keyForms?.separator === "service-account";
  const pasted = mayBeDocument ? splitDocuments(text) : splitLines(text);
  const keys = pasted.map(({ key, line }) => {
    const isDocument = mayBeDocument && key.startsWith("{");
    if (!isDocument && !SENDABLE_KEY.test(key)) throw new Failure("channel-key-invalid");
    if (!readKeyParts(vendor, key)) throw keyMalformed(vendor, text.includes("\n") ? line : undefined);
    return key;
  });
  return [...new Set(keys)];
};

const keyMalformed = (vendor: Vendor, line: number | undefined): Failure => {
  const format = (vendor.keyForms?.forms ?? []).map((form) => form.text).join(" / ");
  return line === undefined
    ? new Failure("channel-key-malformed", { format })
    : new Failure("channel-key-malformed-line", { format, line });
};

const readName = (name: string): string => {
  if (name.trim() === "") throw new Failure("channel-name-missing");
  if ([...name].length > NAME_MAX) throw new Failure("channel-name-too-long");
  return name;
};

/** An address that lists and logs may show: with a name and a password in it, which nobody sends, it would be none. */
const isAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
};

const readBaseUrl = (text: string, vendor: Vendor): string => {
  const baseUrl = stripEnd(text.trim(), "/");
  if (baseUrl === "") {
    if (vendor.baseUrl === "") throw new Failure("channel-base-url-missing");
    return "";
  }
  if (!isAddress(baseUrl)) throw new Failure("channel-base-url-invalid");
  return baseUrl;
};

const readProxy = (text: string): string => {
  const proxy = text.trim();
  if (proxy === "") return "";
  const isUsable = URL.canParse(proxy) && /^https?:$/.test(new URL(proxy).protocol);
  if (!isUsable) throw new Failure("channel-proxy-invalid");
  return proxy;
};

/** What it means is the vendor's affair; only an address and a region can be seen to be wrong. */
const readOther = (text: string, vendor: Vendor): string => {
  const other = text.trim();
  if (other === "") return "";
  const meaning = vendor.other?.meaning;
  if (meaning === "private-address" && !isAddress(other)) throw new Failure("channel-other-invalid");
  if (meaning === "region" && !isRegion(other)) throw new Failure("channel-region-invalid");
  return other;
};

const readModels = (text: string): string[] => {
  const models = splitList(text);
  if (models.length === 0) throw new Failure("channel-models-missing");
  return models;
};

const readMapping = (text: string): Record<string, string> => {
  const mapping = parseModelMapping(text);
  if (!mapping) throw new Failure("channel-mapping-invalid");
  return mapping;
};

/** By hand a channel is only switched on and off; "disabled automatically" is the gateway's own word. */
const readStatus = (status: number): number => {
  if (status !== CHANNEL_ENABLED && status !== CHANNEL_DISABLED_BY_HAND) throw new Failure("status-invalid");
  return status;
};

/** What of `other` stands in the address that a key is sent to. */
const ADDRESS_MEANINGS: ReadonlySet<string> = new Set(["private-address", "region"]);

/**
 * Whether a change sends a channel's stored key somewhere else. Nobody is shown a stored key, so nobody may have it sent
 * to an address of their own choice either: who changes where it goes types it again.
 */
const movesKey = (known: Channel, vendor: Vendor, change: ChannelChange): boolean => {
  const { type, baseUrl, other, proxy } = change;
  return (
    type !== undefined ||
    (baseUrl !== undefined && (baseUrl || vendor.baseUrl) !== (known.baseUrl || vendor.baseUrl)) ||
    (other !== undefined && other !== known.other && ADDRESS_MEANINGS.has(vendor.other?.meaning ?? "")) ||
    // Without its proxy it goes to the same address.
    (proxy !== undefined && proxy !== "")
  );
};

/** Upstream channels (contract section 1.6). */
export const channelRoutes = (services: Services): Route[] => {
  const { channels, storage, options, pricing, prober, balances, now, logger } = services;
  let isTestingAll = false;

  const test = async (id: number): Promise<ProbeResult> => {
    const [entry] = channels.keysOf(id);
    if (!entry) {
      const channel = await storage.read.channels.find(id);
      if (!channel) throw new Failure("record-not-found");
      throw new Failure("channel-unusable");
    }
    const result = await prober.probe(entry);
    // One-tenth of a millisecond is still "tested", so that the list does not show it as untested.
    await storage.write.channels.saveTest(id, now(), Math.max(1, Math.round(result.timeMs)));
    return result;
  };

  const updateBalance = async (id: number): Promise<number> => {
    const [entry] = channels.keysOf(id);
    if (!entry) throw new Failure("record-not-found");
    const balance = await balances.read(entry);
    await storage.write.channels.saveBalance(id, balance, now());
    return balance;
  };

  const testAll = async (): Promise<void> => {
    for (const { id } of channels.enabled()) {
      try {
        const { timeMs, reason, isKeyDead } = await test(id);
        const limitMs = options.number("ChannelDisableThreshold") * 1000;
        if (!options.isOn("AutomaticDisableChannelEnabled")) continue;
        if (limitMs > 0 && timeMs > limitMs) {
          const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)}s`;
          channels.disable(id, {
            code: "response-too-slow",
            params: { time: seconds(timeMs), limit: seconds(limitMs) },
          });
        } else if (isKeyDead) {
          channels.disable(id, reason);
        }
      } catch (error) {
        logger.warn({ channelId: id, error: String(error) }, "a channel could not be tested");
      }
    }
  };

  return [
    route({
      method: "GET",
      path: "/api/channel",
      guard: "admin",
      summary: "A page of the channels",
      data: z.array(channelWireSchema),
      async handle({ query }) {
        return (await storage.read.channels.page(readPage(query) * PAGE_SIZE, PAGE_SIZE)).map(encodeChannel);
      },
    }),
    route({
      method: "GET",
      path: "/api/channel/search",
      guard: "admin",
      summary: "Channels by id, by the beginning of the name, or by one whole key",
      data: z.array(channelWireSchema),
      async handle({ query, reply }) {
        const keyword = (query.keyword ?? "").trim();
        // Keys that are documents are stored without their blanks.
        const [pasted] = splitDocuments(keyword);
        const found = await storage.read.channels.search(keyword, MOST_FOUND_BY_ADMINS + 1, pasted?.key);
        return cutFound(found, MOST_FOUND_BY_ADMINS, reply).map(encodeChannel);
      },
    }),
    route({
      method: "GET",
      path: "/api/channel/models",
      guard: "admin",
      summary: "Every model that the gateway knows by name; answers without `success`",
      handle: () => new Answer({ object: "list", data: listModels() }),
    }),
    route({
      method: "GET",
      path: "/api/channel/test",
      guard: "admin",
      summary: "Starts a test of all enabled channels",
      changesState: true,
      handle() {
        if (isTestingAll) throw new Failure("channel-test-running");
        isTestingAll = true;
        testAll().finally(() => {
          isTestingAll = false;
        });
        return undefined;
      },
    }),
    route({
      method: "GET",
      path: "/api/channel/test/:id",
      guard: "admin",
      summary: "Tests a channel; answers the time in seconds beside the data",
      changesState: true,
      async handle({ params, say }) {
        const { isOk, timeMs, reason } = await test(readInteger(params.id));
        const time = timeMs / 1000;
        return isOk
          ? new Answer({ time })
          : new Answer({ success: false, message: say("channel-test-failed", { reason }), time });
      },
    }),
    route({
      method: "GET",
      path: "/api/channel/update_balance",
      guard: "admin",
      summary: "Reads the balances of all enabled channels",
      changesState: true,
      async handle() {
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
      async handle({ params }) {
        return new Answer({ balance: await updateBalance(readInteger(params.id)) });
      },
    }),
    route({
      method: "GET",
      path: "/api/channel/:id",
      guard: "admin",
      summary: "One channel",
      data: channelWireSchema,
      async handle({ params }) {
        const channel = await storage.read.channels.find(readInteger(params.id));
        if (!channel) throw new Failure("record-not-found");
        return encodeChannel(channel);
      },
    }),
    route({
      method: "POST",
      path: "/api/channel",
      guard: "admin",
      summary: "Adds a channel for every line of the key, or one with all of them",
      body: createChannelBodySchema,
      async handle(context) {
        const { body } = context;
        const vendor = readVendor(body.type);
        const keys = readKeys(body.key, vendor);
        if (keys.length === 0) throw new Failure("channel-key-missing");
        const common: Omit<NewChannel, "key"> = {
          type: body.type,
          status: body.status === undefined ? CHANNEL_ENABLED : readStatus(body.status),
          name: readName(body.name),
          weight: body.weight ?? 0,
          priority: body.priority ?? 0,
          createdTime: now(),
          baseUrl: readBaseUrl(body.base_url ?? "", vendor),
          other: readOther(body.other ?? "", vendor),
          models: readModels(body.models),
          groups: readGroups(body.group),
          modelMapping: readMapping(body.model_mapping ?? ""),
          proxy: readProxy(body.proxy ?? ""),
        };
        const secrets = body.multi_key ? [keys.join("\n")] : keys;
        for (const channel of await channels.create(secrets.map((key) => ({ ...common, key })))) {
          await audit(services, context, "channel.create", channel.id, {
            name: channel.name,
            type: channel.type,
          });
        }
        return undefined;
      },
    }),
    route({
      method: "PUT",
      path: "/api/channel",
      guard: "admin",
      summary: "Changes a channel",
      data: channelWireSchema,
      body: updateChannelBodySchema,
      async handle(context) {
        const { body } = context;
        const known = await storage.read.channels.find(body.id);
        if (!known) throw new Failure("record-not-found");
        const type = body.type === undefined || body.type === 0 ? known.type : body.type;
        const vendor = readVendor(type);
        const keys = readKeys(body.key ?? "", vendor);
        const change: ChannelChange = {
          ...(type === known.type ? {} : { type }),
          ...(keys.length === 0 ? {} : { key: keys.join("\n") }),
          ...(body.status === undefined || body.status === 0 || body.status === known.status
            ? {}
            : { status: readStatus(body.status), deadKeys: [] }),
          ...(body.name === undefined || body.name === "" ? {} : { name: readName(body.name) }),
          ...(body.weight === undefined ? {} : { weight: body.weight }),
          ...(body.priority === undefined ? {} : { priority: body.priority }),
          ...(body.base_url === undefined && type === known.type
            ? {}
            : { baseUrl: readBaseUrl(body.base_url ?? known.baseUrl, vendor) }),
          // An empty one stays as it is, but for another type it means something else.
          ...(body.other === undefined || (body.other === "" && type === known.type)
            ? {}
            : { other: readOther(body.other, vendor) }),
          ...(body.models === undefined || body.models === "" ? {} : { models: readModels(body.models) }),
          ...(body.group === undefined || body.group === "" ? {} : { groups: readGroups(body.group) }),
          ...(body.proxy === undefined || body.proxy.trim() === known.proxy
            ? {}
            : { proxy: readProxy(body.proxy) }),
          ...(body.model_mapping === undefined ? {} : { modelMapping: readMapping(body.model_mapping) }),
        };
        if (keys.length === 0 && movesKey(known, vendor, change)) throw new Failure("channel-key-again");
        const channel = await channels.change(body.id, change);
        if (!channel) throw new Failure("record-not-found");
        await audit(services, context, "channel.update", body.id, change);
        return encodeChannel(channel);
      },
    }),
    route({
      method: "DELETE",
      path: "/api/channel/disabled",
      guard: "admin",
      summary: "Deletes the channels that are switched off; answers how many",
      data: z.int(),
      async handle(context) {
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
      async handle(context) {
        const id = readInteger(context.params.id);
        if (id <= 0) throw new Failure("invalid-parameter");
        await channels.remove(id);
        await audit(services, context, "channel.delete", id);
        return undefined;
      },
    }),
    route({
      method: "GET",
      path: "/api/group",
      guard: "admin",
      summary: "The names of the user groups",
      data: z.array(z.string()),
      handle: () => pricing.groups(),
    }),
  ];
};
