import type { RequestEnd } from "@tollgate/contract/api/receipts";
import { DEFAULT_GROUP } from "@tollgate/contract/management/group";
import type { BookedCharge } from "@tollgate/contract/records/lease";
import type { GatewayErrorCode, SentRefusal } from "@tollgate/contract/relay/error";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { withShortfalls } from "@tollgate/metering/log-content";
import { cacheReadOf, cacheWriteOf } from "@tollgate/metering/token-classes";
import { FULL_OUTCOME } from "@tollgate/relay/pipeline/record-request";
import type { AttemptRecord, ChargeRecord, RequestRecord } from "@tollgate/relay/ports/charges";
import type { Charge } from "@tollgate/storage/accounts/charges";
import { encodeReceiptDetail } from "@tollgate/storage/log/receipt-detail";
import { encodePhrases } from "@tollgate/storage/outbox/log-content";
import type { ModelFault } from "@tollgate/storage/outbox/log-entry";

/* Written field by field: this runs for every request, and a spread would cost more than storing it. */

/** Clients may request models of any name; a receipt keeps only this length. */
const MAX_MODEL_LENGTH = 200;

const cutModel = (model: string): string =>
  model.length > MAX_MODEL_LENGTH ? model.slice(0, MAX_MODEL_LENGTH) : model;

const modelOf = ({ requestedModel }: RequestRecord): string => cutModel(requestedModel);

const aliasOf = ({ alias }: RequestRecord): string | undefined =>
  alias === undefined ? undefined : cutModel(alias);

/** A request of the usual group stores no group: others are rare. */
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
    alias: aliasOf(record),
    atBudget: record.atBudget,
    rule: record.rule,
    attempts: record.attempts,
    cost: record.cost,
  });

/** Refusals before any upstream was tried that are the gateway's fault. */
const UNSERVED: ReadonlySet<GatewayErrorCode> = new Set([
  "channel-unavailable",
  "shutting-down",
  "storage-failing",
  "node-not-admitting",
  "database-silent",
  "internal",
]);

/** With these the model is known to be offered although no upstream was tried: a client may request any name. */
const OFFERED: ReadonlySet<GatewayErrorCode | undefined> = new Set([
  "channel-unavailable",
  "upstream-rate-limited",
] as const);

/** Outcome of one model of a request. */
interface Tried {
  /** As clients call it. */
  requested: string;
  /** The name at its upstream; "" where none was tried. */
  model: string;
  attempts: readonly AttemptRecord[];
  refusal: GatewayErrorCode | undefined;
  end: RequestEnd;
}

const lastAsked = (attempts: readonly AttemptRecord[]): AttemptRecord | undefined =>
  attempts.findLast(({ outcome }) => outcome !== FULL_OUTCOME);

/**
 * Whether the client is not at fault: no upstream is available, all of them are full, or the last one tried failed. A
 * full upstream does not explain a refusal at another.
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

/** The models tried before the last one, each with its own attempts and its own refusal. */
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

/** The last model tried by a failed request. */
const lastIn = ({ attempts, end, model, refusal, replaced, requestedModel }: RequestRecord): Tried => {
  const before = replaced?.at(-1);
  if (!before) return { requested: requestedModel, model, attempts, refusal, end };
  return { requested: before.by, model, attempts: attempts.slice(before.attempts), refusal, end };
};

/**
 * The models at fault, once each, under their names in the sums.
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
 * A settled request in storage's format.
 * @param createdAt unix seconds.
 * @param isLogged whether the site logs consumption.
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
    cacheReadTokens: cacheReadOf(record.promptTokens, record.usage),
    cacheWriteTokens: cacheWriteOf(record.promptTokens, record.usage),
    isOtherModel: record.attempts.at(-1)?.isOtherModel,
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

/** A charge booked by the database of several nodes, with the final amounts. */
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

/** A charge that was booked and reversed, because no output could be delivered: its counts are removed, too. */
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
    // The upstream has answered and bills it: the charge's own line has the amount.
    cost: record.cost && { cost: 0, formula: "" },
    use: { shape: record.use.shape, values: [] },
    // The line of the charge has counted them.
    replaced: undefined,
  };
  return { ...chargeOf(takenBack, createdAt, isLogged), isOtherModel: undefined };
};

/** Under which model a request counts that came to nothing, how, and which others failed in it. */
const failedModels = (record: RequestRecord): Pick<Charge, "modelName" | "count" | "replaced"> => {
  const before = replacedIn(record);
  const last = lastIn(record);
  // Where no upstream was tried for the last model, the error counts for an earlier one.
  const modelName = last.model || (before.findLast(({ model }) => model !== "")?.model ?? nameOf(last));
  const hasLeft = record.end === "client-left";
  const tried = hasLeft ? before : [...before, last];
  if (hasLeft) return { modelName, count: "left", replaced: faultsOf(tried, "") };
  const isItsFault = tried.some((each) => isFault(each) && nameOf(each) === modelName);
  return { modelName, count: isItsFault ? "error" : "refused", replaced: faultsOf(tried, modelName) };
};

/** Upstreams and clients may send texts of any length; a receipt keeps only this length of each. */
const MAX_SENT_CHARACTERS = 500;

const cut = (text: string): string =>
  text.length > MAX_SENT_CHARACTERS ? `${text.slice(0, MAX_SENT_CHARACTERS)}…` : text;

/** A parser's message quotes the body, whose content is kept only if the site enables that. */
const withoutQuotes = (code: GatewayErrorCode, text: string): string =>
  code === "body-not-json" && text.includes('"') ? `${text.slice(0, text.indexOf('"'))}…` : text;

/** The refusal sent to a client, shortened; a fault contains the client's input, which may have any size. */
const boundRefusal = ({
  code,
  params,
  fault,
  upstream,
  field,
  wireCode,
  original,
  rewrite,
}: SentRefusal): SentRefusal => ({
  code,
  params:
    params &&
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, cut(withoutQuotes(code, value))]),
    ),
  fault: fault && JSON.stringify(fault).length <= 4 * MAX_SENT_CHARACTERS ? fault : undefined,
  upstream: upstream && { ...upstream, message: cut(upstream.message), code: cut(upstream.code) },
  field: field === undefined ? undefined : cut(field),
  wireCode,
  // A connection that failed said nothing.
  ...(original && (original.status > 0 || original.message !== "")
    ? { original: { ...original, message: cut(original.message) } }
    : {}),
  ...(rewrite ? { rewrite } : {}),
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
    alias: aliasOf(record),
    atBudget: record.atBudget,
    told: record.told && boundRefusal(record.told),
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
