import {
  concernsOwner,
  getOwnReceipt,
  getReceipt,
  type Receipt,
  type RequestRefundWire,
  refundRequest,
} from "@tollgate/contract/api/receipts";
import type { RequestRefund } from "@tollgate/contract/records/request-refund-record";
import { FULL_OUTCOME } from "@tollgate/relay/pipeline/record-request";
import type { StoredReceipt } from "@tollgate/storage/log/ports";
import type { AttemptDetail } from "@tollgate/storage/log/receipt-detail";
import { formatFormula } from "../../locales/format-formula";
import type { Language } from "../../locales/languages";
import { formatFailure, hidesOriginal } from "../../relay-api/format-failure";
import { dayCurrency } from "../../state/display-currency";
import { audit } from "../audit";
import { existing } from "../failure";
import { implement } from "../route";
import type { Services } from "../services";
import { refundCharge } from "./refund-charge";

const overridesOf = (
  { overrides = [] }: AttemptDetail,
  isForAdministrators: boolean,
): { overrides?: string[] } => {
  const told = isForAdministrators ? overrides : overrides.filter(concernsOwner);
  return told.length === 0 ? {} : { overrides: [...told] };
};

/** A refund as administrators see it; its owner does not see who made it, as with other corrections. */
const encodeRefund = (
  { quota, createdAt, reason, actorName, planQuota, keyQuota }: RequestRefund,
  isForAdministrators: boolean,
): RequestRefundWire => ({
  quota,
  created_at: createdAt,
  reason,
  ...(isForAdministrators ? { actor_name: actorName } : {}),
  ...(planQuota > 0 ? { plan_quota: planQuota } : {}),
  ...(keyQuota > 0 ? { key_quota: keyQuota } : {}),
});

const encodeEndedCost = ({ cost, formula, isEstimate }: NonNullable<AttemptDetail["endedCost"]>) => ({
  cost_thousandths: cost,
  cost_formula: formula,
  is_cost_estimated: isEstimate,
});

/** The end of an attempt; of one that failed only that, where the site hides why. */
const outcomeOf = (
  { outcome, status }: AttemptDetail,
  isHidden: boolean,
): Pick<Receipt["attempts"][number], "outcome" | "status"> =>
  isHidden && outcome !== "ok" && outcome !== FULL_OUTCOME
    ? { outcome: "failed", status: 0 }
    : { outcome, status };

/** The upstream's own words behind a failure. */
const originalOf = ({ failure }: StoredReceipt): Pick<Receipt, "original"> => {
  const original = failure?.told?.original;
  if (!original) return {};
  const { status, code, message } = original;
  return { original: { status, code, message } };
};

/** What the receipt shows beside the request itself. */
interface Beside {
  hasBody: boolean;
  refund: RequestRefund | undefined;
  /** The currency of its day. */
  shown: ReturnType<typeof dayCurrency>;
}

/** Readers of a receipt. */
interface Reader {
  /** undefined in the owner's version, which shows no channel and no cost. */
  channelName: ((id: number) => string) | undefined;
  /** Whether the upstream's price is shown. */
  seesCost: boolean;
}

const encodeReceipt = (
  receipt: StoredReceipt,
  language: Language,
  { hasBody, refund, shown }: Beside,
  { channelName, seesCost }: Reader,
): Receipt => {
  const { requestId, createdAt, userId, username, keyId, tokenName, detail, failure } = receipt;
  const isHidden = channelName === undefined && failure !== undefined && hidesOriginal(failure);
  return {
    request_id: requestId,
    created_at: createdAt,
    username,
    user_id: userId,
    token_id: keyId,
    token_name: tokenName,
    model_name: detail.requestedModel,
    upstream_model: detail.upstreamModel,
    ...(detail.alias === undefined ? {} : { alias: detail.alias }),
    ...(detail.atBudget === undefined ? {} : { at_budget: detail.atBudget }),
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
    ...shown,
    shortfall: detail.shortfall,
    ...(detail.keyShortfall > 0 ? { key_shortfall: detail.keyShortfall } : {}),
    price_version: detail.priceVersion,
    formula: formatFormula(language, detail),
    // The payer sees the price, not the gateway's internals.
    ...(seesCost && detail.cost
      ? { cost_thousandths: detail.cost.cost, cost_formula: detail.cost.formula }
      : {}),
    ...(detail.group === undefined ? {} : { group: detail.group }),
    ...(detail.rule ? { rule: detail.rule } : {}),
    ...(failure ? formatFailure(language, failure, detail.requestedModel) : {}),
    ...(channelName ? originalOf(receipt) : {}),
    ...(failure && failure.times > 1 ? { times: failure.times, last_at: failure.lastAt } : {}),
    ...(refund ? { refund: encodeRefund(refund, channelName !== undefined) } : {}),
    has_body: hasBody,
    attempts: detail.attempts.map((attempt) => ({
      channel: channelName ? attempt.channelId : 0,
      channel_name: channelName?.(attempt.channelId) ?? "",
      ...outcomeOf(attempt, isHidden),
      started_ms: attempt.startedMs,
      first_byte_ms: attempt.firstByteMs,
      duration_ms: attempt.durationMs,
      ...overridesOf(attempt, channelName !== undefined),
      ...(channelName && attempt.chosenBy !== undefined ? { chosen_by: attempt.chosenBy } : {}),
      ...(attempt.fallbackModel === undefined ? {} : { fallback_model: attempt.fallbackModel }),
      ...(attempt.servedModel === undefined ? {} : { served_model: attempt.servedModel }),
      ...(attempt.isOtherModel === undefined ? {} : { is_other_model: attempt.isOtherModel }),
      ...(seesCost && attempt.endedCost ? encodeEndedCost(attempt.endedCost) : {}),
    })),
  };
};

/** @throws Failure */
const findReceipt = async (
  { storage }: Services,
  requestId: string | undefined,
  userId: number | undefined,
): Promise<StoredReceipt> => existing(await storage.read.receipts.find(requestId ?? "", userId));

/** A file of bodies that cannot be read takes no receipt away. */
const isBodyKept = ({ storage, logger }: Services, { requestId }: StoredReceipt): Promise<boolean> =>
  storage.bodies.has(requestId).catch((error: Error) => {
    logger.error({ error: error.message }, "the stored bodies could not be read");
    return false;
  });

const findBeside = async (services: Services, receipt: StoredReceipt): Promise<Beside> => ({
  hasBody: await isBodyKept(services, receipt),
  refund: await services.storage.read.requestRefunds.find(receipt.requestId),
  shown: dayCurrency(services.options, receipt.createdAt),
});

/** The course and cost of one request, and its refund; not part of the contract. */
export const receiptRoutes = [
  implement(getReceipt, async ({ services, query, language, permits }) => {
    const receipt = await findReceipt(services, query.request_id, undefined);
    const beside = await findBeside(services, receipt);
    return encodeReceipt(receipt, language, beside, {
      channelName: (id) => services.channels.nameOf(id),
      seesCost: permits("profit", "read"),
    });
  }),
  implement(getOwnReceipt, async ({ services, caller, query, language }) => {
    const receipt = await findReceipt(services, query.request_id, caller.id);
    const beside = await findBeside(services, receipt);
    return encodeReceipt(receipt, language, beside, { channelName: undefined, seesCost: false });
  }),
  implement(refundRequest, async (context) => {
    const { services, caller, body } = context;
    const { refund, user } = await refundCharge(services, caller, body);
    const { charged, quota, reason } = refund;
    await audit(services, context, "request.refund", refund.requestId, { quota, charged, reason }, user);
    return encodeRefund(refund, true);
  }),
];
