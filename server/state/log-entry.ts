import type { ChargeRecord, RequestRecord } from "@tollgate/relay/ports";
import { encodeReceiptDetail } from "@tollgate/storage/log/receipt-detail";
import type { Charge } from "@tollgate/storage/repositories/charges.repository";

/** Clients may ask for models of any name; a receipt keeps this much of it. */
const MAX_MODEL_LENGTH = 200;

const commonOf = (record: RequestRecord, createdAt: number) => {
  const { key } = record;
  return {
    requestId: record.requestId,
    createdAt,
    userId: key.user.id,
    username: key.user.username,
    tokenId: key.id,
    tokenName: key.name,
    isTokenUnlimited: key.account.isUnlimited,
    channelId: record.channelId,
    modelName: record.model,
    isStream: record.isStream,
    durationMs: record.durationMs,
    firstByteMs: record.firstByteMs,
  };
};

const detailOf = (record: RequestRecord) => ({
  requestedModel: record.requestedModel.slice(0, MAX_MODEL_LENGTH),
  upstreamModel: record.model,
  end: record.end,
  isStream: record.isStream,
  durationMs: record.durationMs,
  firstByteMs: record.firstByteMs,
  attempts: [...record.attempts],
});

/**
 * A settled request as storage keeps it.
 * @param createdAt unix seconds.
 * @param isLogged whether the site keeps a log of what is consumed.
 */
export const chargeOf = (record: ChargeRecord, createdAt: number, isLogged: boolean): Charge => ({
  ...commonOf(record, createdAt),
  count: "answered",
  isLogged,
  promptTokens: record.promptTokens,
  completionTokens: record.completionTokens,
  quota: record.quota,
  content: isLogged ? record.content : "",
  receipt: isLogged
    ? encodeReceiptDetail({
        ...detailOf(record),
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
        priceVersion: record.priceVersion,
        formula: record.formula,
      })
    : "",
});

/** A request that came to nothing: it counts as an error, unless the client left before it was given anything. */
export const failureOf = (record: RequestRecord, createdAt: number): Charge => ({
  ...commonOf(record, createdAt),
  count: record.end === "client-left" ? "left" : "error",
  isLogged: false,
  promptTokens: 0,
  completionTokens: 0,
  quota: 0,
  content: "",
  receipt: encodeReceiptDetail({
    ...detailOf(record),
    promptTokens: 0,
    completionTokens: 0,
    cacheReadTokens: undefined,
    cacheWriteTokens: undefined,
    reasoningTokens: undefined,
    promptSource: "none",
    completionSource: "none",
    quota: 0,
    shortfall: 0,
    priceVersion: 0,
    formula: "",
  }),
});
