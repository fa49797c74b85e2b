import type { RequestEnd } from "@tollgate/contract/api/receipts";
import { DEFAULT_GROUP } from "@tollgate/contract/management/group";
import type { BookedCharge } from "@tollgate/contract/records/lease";
import type { GatewayErrorCode, ToldRefusal } from "@tollgate/contract/relay/error";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { withShortfalls } from "@tollgate/metering/log-content";
import { FULL_OUTCOME } from "@tollgate/relay/pipeline/record-request";
import type { AttemptRecord, ChargeRecord, RequestRecord } from "@tollgate/relay/ports";
import type { Charge } from "@tollgate/storage/accounts/charges";
import { encodeReceiptDetail } from "@tollgate/storage/log/receipt-detail";
import { encodePhrases } from "@tollgate/storage/outbox/log-content";
import type { ModelFault } from "@tollgate/storage/outbox/log-entry";

/* Written field by field: this runs for every request, and spreading so many fields would cost more than storing them. */

/** Clients may ask for models of any name; a receipt keeps this much of it. */
const MAX_MODEL_LENGTH = 200;

const modelOf = ({ requestedModel }: RequestRecord): string =>
  requestedModel.length > MAX_MODEL_LENGTH ? requestedModel.slice(0, MAX_MODEL_LENGTH) : requestedModel;

/** A request of the usual group is told by nothing: it is hardly ever another. */
const groupOf = ({ group, key }: RequestRecord): string | undefined =>
  group === "" || (group === DEFAULT_GROUP && key.group === undefined) ? undefined : group;

const receiptOf = (record: ChargeRecord): string =>
  encodeReceiptDetail({
    requestedModel: modelOf(record),
    upstreamModel: record.model,
    end: record.end,
    isStream: record.isStream,
    durationMs: record.durationMs,
    firstByteMs: record.firstByteMs,
    promptTokens: record.promptTokens,
    completionTokens: record.completionTokens,
    cacheReadTokens: record.usage.cacheReadTokens,
    cacheWriteTokens: record.usage.cacheWriteTokens,
    cacheWrite1hTokens: record.usage.cacheWrite1hTokens,
    audioInputTokens: record.usage.audioInputTokens,
    audioOutputTokens: record.usage.audioOutputTokens,
    reasoningTokens: record.usage.reasoningTokens,
    promptSource: record.promptSource,
    completionSource: record.completionSource,
    quota: record.quota,
    shortfall: record.shortfall,
    keyShortfall: record.keyShortfall,
    priceVersion: record.priceVersion,
    formula: record.formula,
    formulaUnits: record.formulaUnits,
    group: groupOf(record),
    rule: record.rule,
    attempts: record.attempts,
    cost: record.cost,
  });

/** What of a refusal before any upstream was asked is the service's. */
const UNSERVED: ReadonlySet<GatewayErrorCode> = new Set([
  "channel-unavailable",
  "shutting-down",
  "storage-failing",
  "node-not-admitting",
  "database-silent",
  "internal",
]);

/** Of these a model is known to be offered although no upstream was asked for it: a client may ask for any name. */
const OFFERED: ReadonlySet<GatewayErrorCode | undefined> = new Set([
  "channel-unavailable",
  "upstream-rate-limited",
] as const);

/** What became of one model of a request. */
interface Tried {
  /** As clients call it. */
  requested: string;
  /** As its upstream was asked for it; "" where none was. */
  model: string;
  attempts: readonly AttemptRecord[];
  refusal: GatewayErrorCode | undefined;
  end: RequestEnd;
}

const lastAsked = (attempts: readonly AttemptRecord[]): AttemptRecord | undefined =>
  attempts.findLast(({ outcome }) => outcome !== FULL_OUTCOME);

/**
 * Whether the client cannot help it: no upstream is there, all of them are full, or the last one that was asked failed. That one was
 * full says nothing of why the request was refused at another.
 */
const isFault = ({ attempts, refusal, end }: Tried): boolean => {
  if (refusal !== undefined && UNSERVED.has(refusal)) return true;
  const asked = lastAsked(attempts)?.outcome;
  if (asked === undefined) return end === "interrupted" || refusal === "upstream-rate-limited";
  return asked !== "caller";
};

/** Under which name the sums know it; "" where it is not known to be one. */
const nameOf = ({ model, refusal, requested }: Tried): string =>
  model || (OFFERED.has(refusal) ? requested : "");

/** The models that were asked before the one that was asked last, each with its own attempts and its own refusal. */
const replacedIn = ({ attempts, replaced = [], requestedModel }: RequestRecord): Tried[] => {
  let [from, requested] = [0, requestedModel];
  return replaced.map((each) => {
    const { model, refusal } = each;
    const tried: Tried = {
      requested,
      model,
      attempts: attempts.slice(from, each.attempts),
      refusal,
      end: "failed",
    };
    [from, requested] = [each.attempts, each.by];
    return tried;
  });
};

/** The model of a request that came to nothing that was asked last. */
const lastIn = ({ attempts, end, model, refusal, replaced, requestedModel }: RequestRecord): Tried => {
  const before = replaced?.at(-1);
  if (!before) return { requested: requestedModel, model, attempts, refusal, end };
  return { requested: before.by, model, attempts: attempts.slice(before.attempts), refusal, end };
};

/**
 * The models whose faults they were, once each, under the names that the sums know.
 * @param counted the model under which the request itself is counted.
 */
const faultsOf = (tried: readonly Tried[], counted: string): ModelFault[] | undefined => {
  const faults = new Map<string, ModelFault>();
  for (const each of tried) {
    const modelName = nameOf(each);
    if (modelName === "" || modelName === counted || !isFault(each)) continue;
    faults.set(modelName, { modelName, channelId: lastAsked(each.attempts)?.channelId ?? 0 });
  }
  return faults.size === 0 ? undefined : [...faults.values()];
};

/**
 * A settled request as storage keeps it.
 * @param createdAt unix seconds.
 * @param isLogged whether the site keeps a log of what is consumed.
 */
export const chargeOf = (record: ChargeRecord, createdAt: number, isLogged: boolean): Charge => {
  const { key } = record;
  return {
    requestId: record.requestId,
    createdAt,
    userId: key.user.id,
    username: key.user.username,
    tokenId: key.id,
    tokenName: key.name,
    tokenQuota: record.takenFromKey,
    channelId: record.channelId,
    modelName: record.model,
    count: "answered",
    isLogged,
    isStream: record.isStream,
    durationMs: record.durationMs,
    firstByteMs: record.firstByteMs,
    promptTokens: record.promptTokens,
    completionTokens: record.completionTokens,
    quota: record.quota,
    cost: record.cost?.cost,
    content: isLogged ? encodePhrases(record.content) : "",
    receipt: isLogged ? receiptOf(record) : "",
    replaced: record.replaced && faultsOf(replacedIn(record), record.model),
    use: isLogged
      ? { shape: record.use.shape, shortfall: record.shortfall, values: record.use.values }
      : undefined,
  };
};

/** A charge that several nodes' database has booked, with what was really taken. */
export const bookedEntryOf = (
  record: ChargeRecord,
  { charged, shortfall, takenFromKey, keyShortfall }: BookedCharge,
  createdAt: number,
  isLogged: boolean,
): Charge => {
  const isAsSettled =
    charged === record.quota && shortfall === record.shortfall && keyShortfall === record.keyShortfall;
  if (isAsSettled) return chargeOf(record, createdAt, isLogged);
  const content = withShortfalls(record.content, shortfall, keyShortfall);
  const booked = { ...record, quota: charged, shortfall, takenFromKey, keyShortfall, content };
  return chargeOf(booked, createdAt, isLogged);
};

/** A charge that was booked and taken back, because nothing of the answer could be delivered: its counts are gone, too. */
export const takenBackEntryOf = (
  record: ChargeRecord,
  { charged, takenFromKey }: BookedCharge,
  createdAt: number,
  isLogged: boolean,
): Charge => {
  const takenBack: ChargeRecord = {
    ...record,
    quota: 0 - charged,
    takenFromKey: 0 - takenFromKey,
    promptTokens: 0,
    completionTokens: 0,
    usage: NO_USAGE,
    shortfall: 0,
    keyShortfall: 0,
    content: [{ code: "charge-taken-back" }],
    // The upstream has answered and asks for it: the line of the charge says how much.
    cost: record.cost && { cost: 0, formula: "" },
    use: { shape: record.use.shape, values: [] },
    // The line of the charge has counted them.
    replaced: undefined,
  };
  return chargeOf(takenBack, createdAt, isLogged);
};

/** Under which model a request counts that came to nothing, how, and which others failed in it. */
const failedModels = (record: RequestRecord): Pick<Charge, "modelName" | "count" | "replaced"> => {
  const before = replacedIn(record);
  const last = lastIn(record);
  // Where no upstream was asked for the last one, it is an error of what was asked before.
  const modelName = last.model || (before.findLast(({ model }) => model !== "")?.model ?? nameOf(last));
  const hasLeft = record.end === "client-left";
  const tried = hasLeft ? before : [...before, last];
  if (hasLeft) return { modelName, count: "left", replaced: faultsOf(tried, "") };
  const isItsFault = tried.some((each) => isFault(each) && nameOf(each) === modelName);
  return { modelName, count: isItsFault ? "error" : "refused", replaced: faultsOf(tried, modelName) };
};

/** Upstreams and clients may say as much as they like; a receipt keeps this much of each text. */
const MAX_TOLD = 500;

const cut = (text: string): string => (text.length > MAX_TOLD ? `${text.slice(0, MAX_TOLD)}…` : text);

/** What a parser says of a body quotes it, and what a body says is kept only where the site wants that. */
const withoutQuotes = (code: GatewayErrorCode, text: string): string =>
  code === "body-not-json" && text.includes('"') ? `${text.slice(0, text.indexOf('"'))}…` : text;

/** What a client was told, in bounds; a fault holds what the client sent, which may be of any size. */
const boundTold = ({ code, params, fault, upstream, field, wireCode }: ToldRefusal): ToldRefusal => ({
  code,
  params:
    params &&
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, cut(withoutQuotes(code, value))]),
    ),
  fault: fault && JSON.stringify(fault).length <= 4 * MAX_TOLD ? fault : undefined,
  upstream: upstream && { ...upstream, message: cut(upstream.message), code: cut(upstream.code) },
  field: field === undefined ? undefined : cut(field),
  wireCode,
});

/** The receipt of a request that came to nothing. Made for the first of a kind alone: it costs as much as the rest. */
export const failureReceiptOf = (record: RequestRecord): string =>
  encodeReceiptDetail({
    requestedModel: modelOf(record),
    upstreamModel: record.model || (record.replaced?.findLast(({ model }) => model !== "")?.model ?? ""),
    end: record.end,
    isStream: record.isStream,
    durationMs: record.durationMs,
    firstByteMs: record.firstByteMs,
    promptTokens: 0,
    completionTokens: 0,
    cacheReadTokens: undefined,
    cacheWriteTokens: undefined,
    cacheWrite1hTokens: undefined,
    audioInputTokens: undefined,
    audioOutputTokens: undefined,
    reasoningTokens: undefined,
    promptSource: "none",
    completionSource: "none",
    quota: 0,
    shortfall: 0,
    keyShortfall: 0,
    priceVersion: 0,
    formula: "",
    group: groupOf(record),
    told: record.told && boundTold(record.told),
    attempts: record.attempts,
  });

/** A request that came to nothing, without its receipt: it counts as an error, unless the client left before it was given anything. */
export const failureOf = (record: RequestRecord, createdAt: number): Charge => {
  const { key } = record;
  const { modelName, count, replaced } = failedModels(record);
  return {
    requestId: record.requestId,
    createdAt,
    userId: key.user.id,
    username: key.user.username,
    tokenId: key.id,
    tokenName: key.name,
    tokenQuota: 0,
    channelId: record.channelId,
    modelName,
    count,
    replaced,
    isLogged: false,
    isStream: record.isStream,
    durationMs: record.durationMs,
    firstByteMs: record.firstByteMs,
    promptTokens: 0,
    completionTokens: 0,
    quota: 0,
    content: "",
    use: undefined,
    failure: {
      code: record.refusal ?? record.end,
      status: lastAsked(record.attempts)?.status ?? 0,
      firstAt: createdAt,
      count: 1,
      isRepeat: false,
    },
    receipt: "",
  };
};
