import {
  listChannelChoices,
  listChannelTraffic,
  listChannelUse,
  MAX_NAMED_CHANNELS,
} from "@tollgate/contract/api/channel-measurements";
import {
  type FetchModelsBody,
  fetchModels,
  listKnownModels,
  listTestEndpoints,
  readBalance,
  readBalances,
  readUpstreamAccount,
  testChannel,
  testChannelInDetail,
  testChannels,
  typeBalance,
  type UpstreamAccount,
} from "@tollgate/contract/api/channel-upstream";
import { splitList } from "@tollgate/contract/values/split-list";
import type { UpstreamTarget } from "@tollgate/relay/ports/directory";
import { createUpstreamTargets } from "@tollgate/relay/routing/upstream-target";
import { balanceUnitAt } from "@tollgate/vendors/slim/balance-unit";
import { findVendor } from "@tollgate/vendors/vendors";
import { formatProbeReason } from "../../locales/format-upstream-fault";
import { LANGUAGES } from "../../locales/languages";
import { listModels } from "../../relay-api/models";
import { describeIn } from "../../relay-api/refusals";
import { ignoredModels } from "../../upstream-models/ignored-models";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { Answer, implement, readInteger } from "../route";
import type { Services } from "../services";
import { channelChoices } from "./channel-choices";
import { readChannelToAsk, readChannelToAskAgain } from "./channel-fields";
import { sumTraffic, trafficStart } from "./channel-traffic";

/** Fields that a form's unstored channel lacks. */
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

/** Parses the numbers of channels. @throws Failure for something else, and for too many. */
const readIds = (text: string): number[] => {
  const ids = new Set(splitList(text).map(readInteger));
  if (ids.size > MAX_NAMED_CHANNELS || ids.has(0)) throw new Failure("invalid-parameter");
  return [...ids];
};

/** Reads the account behind a channel's key, and stores its balance if the upstream tells one. */
const readAccount = async (services: Services, id: number): Promise<UpstreamAccount> => {
  const { channels, storage, options, upstreamAccounts, notices, now } = services;
  const [entry] = channels.keysOf(id);
  if (!entry) throw new Failure("record-not-found");
  const account = await upstreamAccounts.read(entry);
  const { balance } = account;
  if (balance === undefined) return account;
  await storage.write.channels.saveBalance(id, balance, now());
  const threshold = options.number("UpstreamBalanceThreshold");
  if (balance < threshold)
    notices.raise({
      event: "upstream-balance-low",
      subject: id,
      params: { id, name: channels.nameOf(id), balance, threshold },
    });
  return account;
};

const updateBalance = async (services: Services, id: number): Promise<number> => {
  const { balance } = await readAccount(services, id);
  if (balance === undefined) throw new Failure("balance-unlimited");
  return balance;
};

/** The upstream target of a channel as in a form. A stored key is only sent to its stored destination. */
const targetToAsk = ({ channels }: Services, body: FetchModelsBody): UpstreamTarget => {
  const { id } = body;
  if (id === undefined) {
    const asked = readChannelToAsk(body);
    const [target] = asked ? createUpstreamTargets({ ...NO_CHANNEL, ...asked }, asked) : [];
    if (!target) throw new Failure("channel-unusable");
    return target;
  }
  // Checks and request use the same record: the stored one may change meanwhile.
  const record = channels.recordOf(id);
  if (!record) throw new Failure("record-not-found");
  const { channel: known, requestChanges } = record;
  const [target] = channels.targetsAfter(id, readChannelToAskAgain(body, known, requestChanges));
  if (!target) throw new Failure("channel-unusable");
  return target;
};

const askForModels = async ({ upstreamModels }: Services, target: UpstreamTarget): Promise<string[]> => {
  const list = await upstreamModels.list(target);
  switch (list.kind) {
    case "models":
      return list.models;
    case "status": {
      const isRefused = list.status === 401 || list.status === 403;
      throw new Failure(isRefused ? "models-key-refused" : "models-status", { status: list.status });
    }
    case "unreachable":
    case "unreadable":
    case "unsupported":
      throw new Failure(`models-${list.kind}`);
  }
};

/** Queries to channels' upstreams, and their measurements (contract section 1.6). */
export const upstreamRoutes = [
  implement(listKnownModels, () => ({ object: "list", data: listModels() })),

  implement(fetchModels, async ({ services, body }) => {
    const models = await askForModels(services, targetToAsk(services, body));
    return { models, ignored: ignoredModels(models, services.options.text("IgnoredModels")) };
  }),

  implement(testChannels, ({ services }) => {
    if (!services.channelTests.start()) throw new Failure("channel-test-running");
    return undefined;
  }),

  implement(testChannel, async ({ services, params, query, language, formatMessage }) => {
    const model = (query.model ?? "").trim();
    const { timeMs, reason } = await services.channelTests.test(params.id, model === "" ? undefined : model);
    const time = timeMs / 1000;
    if (reason === undefined) return { time };
    const message = formatMessage("channel-test-failed", {
      reason: formatProbeReason(LANGUAGES[language], reason),
    });
    return new Answer({ success: false, message, time });
  }),

  implement(listTestEndpoints, ({ services, params }) => services.channelTests.endpointsOf(params.id)),

  implement(testChannelInDetail, async (context) => {
    const { services, params, body, language } = context;
    const describe = describeIn(LANGUAGES[language], language);
    const trial = await services.channelTests.testInDetail(params.id, body, describe);
    const { model, text, bytes, firstByteMs, durationMs, reason, charge } = trial;
    // An answer that no customer pays for stays visible to root.
    await audit(services, context, "channel.test", params.id, { model, endpoint: body.endpoint ?? "chat" });
    return {
      ok: reason === undefined && charge !== undefined,
      ...(reason === undefined ? {} : { reason: formatProbeReason(LANGUAGES[language], reason) }),
      ...{ model, text, bytes, duration_ms: Math.round(durationMs) },
      ...(firstByteMs === undefined ? {} : { first_byte_ms: Math.round(firstByteMs) }),
      ...(charge && { prompt_tokens: charge.promptTokens, completion_tokens: charge.completionTokens }),
      ...(charge?.cost && { cost: charge.cost.cost }),
    };
  }),

  implement(readBalances, async ({ services }) => {
    const { channels, options, logger } = services;
    for (const { id, type, baseUrl } of channels.enabled()) {
      if (balanceUnitAt(findVendor(type)?.balance, baseUrl) === undefined) continue;
      try {
        const balance = await updateBalance(services, id);
        const isEmpty = balance <= 0 && options.isOn("AutomaticDisableChannelEnabled");
        if (isEmpty) channels.disable(id, { code: "balance-used-up" });
      } catch (error) {
        logger.warn({ channelId: id, error: String(error) }, "a balance could not be read");
      }
    }
    return undefined;
  }),

  implement(readBalance, async ({ services, params }) => ({
    balance: await updateBalance(services, params.id),
  })),

  implement(readUpstreamAccount, ({ services, params }) => readAccount(services, params.id)),

  implement(typeBalance, async (context) => {
    const { storage, now } = context.services;
    const { id, balance } = context.body;
    if (!(await storage.write.channels.saveTypedBalance(id, balance ?? undefined, now())))
      throw new Failure("record-not-found");
    await audit(context.services, context, "channel.balance", id, { balance });
    return undefined;
  }),

  implement(listChannelUse, ({ services, query }) => {
    const { channelUse, channels } = services;
    if (query.ids === undefined) return channelUse(channels.limited());
    return channelUse(readIds(query.ids).flatMap((id) => channels.keysOf(id)));
  }),

  implement(listChannelTraffic, async ({ services, query }) => {
    const ids = readIds(query.ids ?? "");
    if (ids.length === 0) return [];
    const start = trafficStart(services.now());
    return sumTraffic(await services.storage.read.health.ofChannels(ids, start), start);
  }),

  implement(listChannelChoices, async ({ services, params }) => {
    const channel = existing(await services.storage.read.channels.find(params.id));
    const speeds = services.speedsOf(services.channels.keysOf(channel.id));
    return channelChoices(channel, speeds, services.pricing);
  }),
];
