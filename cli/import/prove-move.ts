import { readGroups } from "@tollgate/contract/management/group";
import type {
  ImportedApiKey,
  ImportedChannel,
  ImportedOption,
  ImportedUser,
} from "@tollgate/contract/records/imported-records";
import { isPlausibleCount, NO_USAGE, readCounter, type Usage } from "@tollgate/contract/relay/usage";
import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import { splitList } from "@tollgate/contract/values/split-list";
import { CHANNEL_ENABLED, TOKEN_ENABLED, USER_ENABLED } from "@tollgate/contract/values/statuses";
import { priceAnswer } from "@tollgate/metering/bill";
import type { Pricing } from "@tollgate/relay/ports/charges";
import { Channels } from "@tollgate/relay/routing/channels";
import { Options } from "@tollgate/server/state/options";
import { createPricing } from "@tollgate/server/state/pricing";
import { nameAfterMove } from "./channel-models";
import { modelSourceOf } from "./map-channels";
import type { Move, Proof } from "./mapped";
import type { Series } from "./origin";
import { readCachedUse } from "./read-cached-use";
import { isNeutral, readObject } from "./read-json";
import type { ChannelRow, LogRow } from "./source-rows";

type Key = Move["before"]["tokens"][number];

/** The models that a group could use, as the source's table `abilities` follows from its channels. */
const modelsBefore = (channels: readonly ChannelRow[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const byGroup = new Map<string, Set<string>>();
  for (const { status, group, models } of channels) {
    if (Number(status ?? CHANNEL_ENABLED) !== CHANNEL_ENABLED) continue;
    for (const name of readGroups(group)) {
      const known = byGroup.get(name) ?? new Set();
      for (const model of splitList(models ?? "")) known.add(model);
      byGroup.set(name, known);
    }
  }
  return byGroup;
};

/** The models that a key of the source names; undefined where it may use all. */
const namedModels = (token: Key, series: Series): string[] | undefined => {
  const named = splitList((series === "new-api" ? token.model_limits : token.models) ?? "");
  if (series === "new-api") return token.model_limits_enabled === true ? named : undefined;
  return named.length > 0 ? named : undefined;
};

const createChannels = async (imported: readonly ImportedChannel[]): Promise<Channels> => {
  const nobody = (): never => {
    throw new Error("the channels of an import are only looked at");
  };
  const channels = new Channels(
    { create: nobody, change: nobody, remove: nobody, removeDisabled: nobody },
    {
      incidents: { channelDisabled: nobody, channelEnabled: nobody, keyDisabled: nobody },
      isDisablingOn: () => false,
      announce: nobody,
      reportError: nobody,
      nowMs: Date.now,
    },
  );
  const records = imported.map(({ key, deadKeys, proxy, ...channel }) => ({
    key,
    deadKeys,
    proxy,
    channel: {
      ...channel,
      proxy: "",
      keyCount: key.split("\n").length,
      deadKeyCount: deadKeys.length,
      closedUntil: 0,
      usedRequests: 0,
      spentSinceTyped: 0,
    },
  }));
  const pages = async function* (): AsyncGenerator<typeof records> {
    yield records;
  };
  await channels.load(pages());
  return channels;
};

const minus = (one: readonly string[], other: ReadonlySet<string>): string[] =>
  one.filter((each) => !other.has(each)).sort();

const MAX_EXAMPLES = 20;

/** The group of a key in the source: its own, or its user's. */
const groupBefore = ({ group = "" }: Key, groupOfUser = ""): string => {
  const own = group.trim();
  return own !== "" && own !== "auto" ? own : groupOfUser;
};

const groupsAfter = (
  { group }: Pick<ImportedApiKey, "group">,
  user: Pick<ImportedUser, "group">,
): readonly string[] => (group && group !== AUTO_GROUP ? [group] : readGroups(user.group));

/** Every enabled key of an enabled user: the models that it opened, and those that it will. */
const proveModels = async ({ origin, before: source, after }: Move): Promise<Proof["models"]> => {
  const channels = await createChannels(after.channels);
  const byGroup = modelsBefore(source.channels);
  const users = new Map(after.users.map((user) => [user.id, user]));
  const groupsBefore = new Map(source.users.map(({ id, group }) => [id, group]));
  const tokens = new Map(source.tokens.map((token) => [token.id, token]));
  const differences = new Map<string, { keys: number[]; missing: string[]; added: string[] }>();
  const compared = new Map<string, { missing: string[]; added: string[] }>();
  let keys = 0;
  for (const token of after.tokens) {
    const user = users.get(token.userId);
    const was = tokens.get(token.id);
    if (token.status !== TOKEN_ENABLED || user?.status !== USER_ENABLED || !was) continue;
    keys += 1;
    const before = groupBefore(was, groupsBefore.get(token.userId));
    const named = namedModels(was, origin.series);
    const scope = JSON.stringify([before, named, token.group, user.group, token.models]);
    let found = compared.get(scope);
    if (!found) {
      const offered = [...new Set(readGroups(before).flatMap((name) => [...(byGroup.get(name) ?? [])]))];
      const opened = named ? offered.filter((model) => named.includes(model)) : offered;
      const opens = channels.modelsOfKey(
        groupsAfter(token, user),
        token.models?.length ? new Set(token.models) : undefined,
      );
      found = { missing: minus(opened, new Set(opens)), added: minus(opens, new Set(opened)) };
      compared.set(scope, found);
    }
    if (found.missing.length + found.added.length === 0) continue;
    const kind = JSON.stringify(found);
    const difference = differences.get(kind) ?? { keys: [], ...found };
    difference.keys.push(token.id);
    differences.set(kind, difference);
  }
  return { keys, differences: [...differences.values()].slice(0, MAX_EXAMPLES) };
};

/**
 * Tolerated difference of a charge, as a share, and in points of quota: both programs round to whole ones differently.
 */
const TOLERANCE = 0.01;
const ROUNDING = 1;

const isOther = (before: number, after: number): boolean =>
  Math.abs(after - before) > Math.max(ROUNDING, before * TOLERANCE);

/** Fields of a log line about an answer. */
interface LoggedUse {
  promptTokens: number;
  completionTokens: number;
  usage: Usage;
}

/** Fields of new-api's `other` that show work besides tokens, whose cost does not follow from the line. */
const BESIDES = [
  "web_search",
  "file_search",
  "image",
  "image_generation_call",
  "audio_input_seperate_price",
  "task_id",
  "is_task",
  "tool_calls",
];

const readUse = (line: LogRow): LoggedUse | undefined => {
  const promptTokens = readCounter(line.prompt_tokens);
  const completionTokens = readCounter(line.completion_tokens);
  const other = readObject(line.other);
  if (promptTokens === undefined || completionTokens === undefined || !other) return undefined;
  if (BESIDES.some((field) => !isNeutral(other[field]))) return undefined;
  const { read, written, written1h, besidePrompt } = readCachedUse(other);
  const whole = promptTokens + besidePrompt;
  if (!isPlausibleCount(whole)) return undefined;
  return {
    promptTokens: whole,
    completionTokens,
    usage: {
      ...NO_USAGE,
      cacheReadTokens: read,
      cacheWriteTokens: written,
      cacheWrite1hTokens: written1h,
      audioInputTokens: readCounter(other.audio_input),
      audioOutputTokens: readCounter(other.audio_output),
    },
  };
};

type Priced = { quota: number } | "no-price" | "says-too-little";

const priceLine = (pricing: Pick<Pricing, "find">, line: LogRow, model: string, group: string): Priced => {
  const before = line.quota ?? 0;
  if (typeof before === "bigint" || before < 0) return "says-too-little";
  const price = pricing.find(model, group);
  if (!price) return "no-price";
  const use = readUse(line);
  if (!use) return "says-too-little";
  const { promptTokens, completionTokens, usage } = use;
  // Images, sound and other work by units leave no tokens on the line.
  const isByTokens = price.perCall === undefined;
  if (isByTokens && promptTokens + completionTokens === 0 && before > 0) return "says-too-little";
  if (isByTokens && completionTokens > 0 && !price.isOutputPriced) return "no-price";
  return { quota: priceAnswer(price, promptTokens, completionTokens, usage).quota };
};

const createPrices = async (imported: readonly ImportedOption[]): Promise<Pick<Pricing, "find">> => {
  const stored = imported.map(({ key, value }) => ({ key, value }));
  const options = await Options.load(
    { options: { all: async () => stored } },
    {
      options: {
        put: async () => {
          throw new Error("the options of an import are only looked at");
        },
      },
    },
  );
  return createPricing(options, Date.now);
};

/** The newest lines of the source, priced with the prices that hold after the import. */
const provePrices = async ({ origin, before, after }: Move): Promise<Proof["prices"]> => {
  const pricing = await createPrices(after.options);
  const sources = new Map(before.channels.map((row) => [row.id, modelSourceOf(origin.series, row)]));
  const groups = new Map(after.users.map(({ id, group }) => [id, readGroups(group)]));
  const differences = new Map<string, Proof["prices"]["differences"][number]>();
  const unknown = new Map<string, Proof["prices"]["unknown"][number]>();
  for (const line of before.lines) {
    const model = line.model_name ?? "";
    const name = nameAfterMove(origin.series, sources.get(Number(line.channel_id ?? 0)), model);
    const [group = line.group ?? ""] = groups.get(Number(line.user_id ?? 0)) ?? [];
    const priced = priceLine(pricing, line, name, group);
    if (typeof priced === "string") {
      const kind = `${priced} ${model}`;
      unknown.set(kind, { model, reason: priced, lines: (unknown.get(kind)?.lines ?? 0) + 1 });
      continue;
    }
    const quota = Number(line.quota ?? 0);
    if (!isOther(quota, priced.quota)) continue;
    const known = differences.get(model) ?? { model, lines: 0, before: 0, after: 0, example: line.id };
    differences.set(model, {
      ...known,
      lines: known.lines + 1,
      before: known.before + quota,
      after: known.after + priced.quota,
    });
  }
  const byLines = (a: { lines: number }, b: { lines: number }): number => b.lines - a.lines;
  return {
    lines: before.lines.length,
    differences: [...differences.values()].sort(byLines),
    unknown: [...unknown.values()].sort(byLines),
  };
};

/**
 * Computes the effects of a move on the gateway's users, with this gateway's own routes and prices: the models that
 * each enabled key opens, and the charges of the source's newest requests here.
 */
export const proveMove = async (move: Move): Promise<Proof> => ({
  models: await proveModels(move),
  prices: await provePrices(move),
});
