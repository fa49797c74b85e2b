import { DEFAULT_GROUP } from "@tollgate/contract/management/group";
import type { BookedCharge } from "@tollgate/contract/records/lease";
import type { GatewayErrorCode } from "@tollgate/contract/relay/error";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { withShortfalls } from "@tollgate/metering/log-content";
import { FULL_OUTCOME } from "@tollgate/relay/pipeline/record-request";
import type { ChargeRecord, RequestRecord } from "@tollgate/relay/ports";
import type { Charge } from "@tollgate/storage/accounts/charges";
import { encodeReceiptDetail } from "@tollgate/storage/log/receipt-detail";
import { encodePhrases } from "@tollgate/storage/outbox/log-content";

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
  };
  return chargeOf(takenBack, createdAt, isLogged);
};

/** What of a refusal before any upstream was asked is the service's. */
const UNSERVED: ReadonlySet<GatewayErrorCode> = new Set([
  "channel-unavailable",
  "shutting-down",
  "storage-failing",
  "node-not-admitting",
  "database-silent",
  "internal",
]);

/**
 * Whether nobody can help it who asked: no upstream is there, all of them are full, or the last one that was asked failed. That one was
 * full says nothing of why the request was refused at another.
 */
const isFault = ({ attempts, refusal, end }: RequestRecord): boolean => {
  if (refusal !== undefined && UNSERVED.has(refusal)) return true;
  const asked = attempts.findLast(({ outcome }) => outcome !== FULL_OUTCOME)?.outcome;
  if (asked === undefined) return end === "interrupted" || refusal === "upstream-rate-limited";
  return asked !== "caller";
};

const countOf = (record: RequestRecord): Charge["count"] => {
  if (record.end === "client-left") return "left";
  return isFault(record) ? "error" : "refused";
};

/** A request that came to nothing: it counts as an error, unless the client left before it was given anything. */
export const failureOf = (record: RequestRecord, createdAt: number): Charge => {
  const { key } = record;
  return {
    requestId: record.requestId,
    createdAt,
    userId: key.user.id,
    username: key.user.username,
    tokenId: key.id,
    tokenName: key.name,
    tokenQuota: 0,
    channelId: record.channelId,
    // Which models are not served is known only of those that are offered: anybody may ask for any name.
    modelName: record.model || (record.refusal === "channel-unavailable" ? record.requestedModel : ""),
    count: countOf(record),
    isLogged: false,
    isStream: record.isStream,
    durationMs: record.durationMs,
    firstByteMs: record.firstByteMs,
    promptTokens: 0,
    completionTokens: 0,
    quota: 0,
    content: "",
    use: undefined,
    receipt: encodeReceiptDetail({
      requestedModel: modelOf(record),
      upstreamModel: record.model,
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
      attempts: record.attempts,
    }),
  };
};
