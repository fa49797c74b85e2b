import { concernsOwner, getOwnReceipt, getReceipt, type Receipt } from "@tollgate/contract/api/receipts";
import type { StoredReceipt } from "@tollgate/storage/log/ports";
import type { AttemptDetail } from "@tollgate/storage/log/receipt-detail";
import { formatFormula } from "../../locales/format-formula";
import type { Language } from "../../locales/languages";
import { formatFailure } from "../../relay-api/format-failure";
import { existing } from "../failure";
import { implement } from "../route";
import type { Services } from "../services";

const overridesOf = (
  { overrides = [] }: AttemptDetail,
  isForAdministrators: boolean,
): { overrides?: string[] } => {
  const told = isForAdministrators ? overrides : overrides.filter(concernsOwner);
  return told.length === 0 ? {} : { overrides: [...told] };
};

/** @param channelName undefined in the owner's version, which shows no channel and no cost. */
const encodeReceipt = (
  { requestId, createdAt, userId, username, keyId, tokenName, detail, failure }: StoredReceipt,
  language: Language,
  hasBody: boolean,
  channelName: ((id: number) => string) | undefined,
): Receipt => ({
  request_id: requestId,
  created_at: createdAt,
  username,
  user_id: userId,
  token_id: keyId,
  token_name: tokenName,
  model_name: detail.requestedModel,
  upstream_model: detail.upstreamModel,
  ...(detail.alias === undefined ? {} : { alias: detail.alias }),
  is_stream: detail.isStream,
  end: detail.end,
  duration_ms: detail.durationMs,
  first_byte_ms: detail.firstByteMs,
  prompt_tokens: detail.promptTokens,
  completion_tokens: detail.completionTokens,
  cache_read_tokens: detail.cacheReadTokens,
  cache_write_tokens: detail.cacheWriteTokens,
  cache_write_1h_tokens: detail.cacheWrite1hTokens,
  audio_input_tokens: detail.audioInputTokens,
  audio_output_tokens: detail.audioOutputTokens,
  reasoning_tokens: detail.reasoningTokens,
  prompt_source: detail.promptSource,
  completion_source: detail.completionSource,
  quota: detail.quota,
  shortfall: detail.shortfall,
  ...(detail.keyShortfall > 0 ? { key_shortfall: detail.keyShortfall } : {}),
  price_version: detail.priceVersion,
  formula: formatFormula(language, detail),
  // The payer sees the price, not the gateway's internals.
  ...(channelName && detail.cost
    ? { cost_thousandths: detail.cost.cost, cost_formula: detail.cost.formula }
    : {}),
  ...(detail.group === undefined ? {} : { group: detail.group }),
  ...(detail.rule ? { rule: detail.rule } : {}),
  ...(failure ? formatFailure(language, failure, detail.requestedModel) : {}),
  ...(failure && failure.times > 1 ? { times: failure.times, last_at: failure.lastAt } : {}),
  has_body: hasBody,
  attempts: detail.attempts.map((attempt) => ({
    channel: channelName ? attempt.channelId : 0,
    channel_name: channelName?.(attempt.channelId) ?? "",
    outcome: attempt.outcome,
    status: attempt.status,
    started_ms: attempt.startedMs,
    first_byte_ms: attempt.firstByteMs,
    duration_ms: attempt.durationMs,
    ...overridesOf(attempt, channelName !== undefined),
    ...(channelName && attempt.chosenBy !== undefined ? { chosen_by: attempt.chosenBy } : {}),
    ...(attempt.fallbackModel === undefined ? {} : { fallback_model: attempt.fallbackModel }),
    ...(attempt.servedModel === undefined ? {} : { served_model: attempt.servedModel }),
    ...(attempt.isOtherModel === undefined ? {} : { is_other_model: attempt.isOtherModel }),
  })),
});

/** @throws Failure */
const findReceipt = async (
  { storage }: Services,
  requestId: string | undefined,
  userId: number | undefined,
): Promise<StoredReceipt> => existing(await storage.read.receipts.find(requestId ?? "", userId));

/** A file of bodies that cannot be read takes no receipt away. */
const hasBody = ({ storage, logger }: Services, { requestId }: StoredReceipt): Promise<boolean> =>
  storage.bodies.has(requestId).catch((error: Error) => {
    logger.error({ error: error.message }, "the stored bodies could not be read");
    return false;
  });

/** The course and cost of one request; not part of the contract. */
export const receiptRoutes = [
  implement(getReceipt, async ({ services, query, language }) => {
    const receipt = await findReceipt(services, query.request_id, undefined);
    const isKept = await hasBody(services, receipt);
    return encodeReceipt(receipt, language, isKept, (id) => services.channels.nameOf(id));
  }),
  implement(getOwnReceipt, async ({ services, caller, query, language }) => {
    const receipt = await findReceipt(services, query.request_id, caller.id);
    const isKept = await hasBody(services, receipt);
    return encodeReceipt(receipt, language, isKept, undefined);
  }),
];
