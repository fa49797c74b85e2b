import type { CountSource } from "@tollgate/contract/api/receipts";
import type { Extras } from "@tollgate/contract/relay/extras";
import type { Units } from "@tollgate/contract/relay/operation";
import type { PromptText } from "@tollgate/contract/relay/prompt-text";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import type { LogPhrase } from "@tollgate/contract/values/log-phrase";
import { costAnswer } from "@tollgate/metering/cost";
import { approximateTokens } from "@tollgate/metering/estimate";
import { explainBill, explainCharge, explainUnitCharge } from "@tollgate/metering/formula";
import { settle } from "@tollgate/metering/ledger";
import { consumeLogContent, type Delivery, type UsageSource } from "@tollgate/metering/log-content";
import { type Price, priceAnswer } from "@tollgate/metering/price";
import { type Buyer, type PricedUse, useOfTokens, useOfUnits } from "@tollgate/metering/priced-use";
import { explainUnits, priceUnits } from "@tollgate/metering/unit-price";
import type { ChargeRecord, Pricing, RequestRecord } from "../ports";
import type { Reservation } from "./reserve-quota";

/** Token counts of an answer and where they came from. */
export interface Counts {
  promptTokens: number;
  completionTokens: number;
  source: UsageSource;
  /** What is charged in place of tokens: images, seconds … */
  units?: Units | undefined;
  /** How many times a price per call is charged, where it is not once. */
  calls?: number | undefined;
  /** Where each of the two came from, where it is not the same. */
  promptSource?: CountSource;
  completionSource?: CountSource;
  /** What the upstream told of the classes within the two. */
  usage?: Usage;
  /** What the upstream was asked for besides its tokens. */
  extras?: Extras | undefined;
}

/** What an answer is asked to cost, and why: for the log line and for the receipt. */
interface ExplainedBill {
  asked: number;
  explanation: readonly LogPhrase[];
  /** What the arithmetic begins with, where it is not tokens. */
  units?: LogPhrase;
  formula: string;
  use: PricedUse;
}

const billFor = (price: Price, buyer: Buyer, counts: Counts): ExplainedBill => {
  if (counts.units) {
    const asked = priceUnits(price, counts.units);
    const units = explainUnits(price, counts.units);
    const explanation = [...price.explanation, units];
    const use = useOfUnits(price, buyer, counts.units);
    return { asked, explanation, units, formula: explainUnitCharge(price, asked), use };
  }
  const { promptTokens, completionTokens, usage, extras, calls } = counts;
  const bill = priceAnswer(price, promptTokens, completionTokens, usage, extras, calls);
  return {
    asked: bill.quota,
    explanation: explainCharge(price, bill),
    formula: explainBill(price, bill),
    use: useOfTokens(price, buyer, bill.counts, bill.calls, extras, usage ?? NO_USAGE),
  };
};

/**
 * The last step: turns the hold into a charge, in memory, and gives what must be stored before the answer may end.
 * @param buys what the channel's upstream asks, so that what the answer costs is kept as it is now.
 */
export const settleRequest = (
  placed: Reservation,
  request: RequestRecord,
  counts: Counts,
  delivery: Delivery,
  buys?: Pricing["buys"],
): ChargeRecord => {
  const { price } = placed;
  // Its price was found by the name that was asked for last, which need not be the client's.
  const askedModel = request.attempts.at(-1)?.fallbackModel ?? request.requestedModel;
  const buyer = { requestedModel: askedModel, groups: request.key.user.groups };
  const boughtAt = buys?.(request.channelId, request.model);
  const { asked, explanation, units, formula, use } = billFor(price, buyer, counts);
  const { charged, shortfall, takenFromKey, keyShortfall } = settle(placed.hold, asked);
  // Field by field: this runs for every request, and a spread of so many costs more than all the arithmetic.
  return {
    requestId: request.requestId,
    key: request.key,
    protocol: request.protocol,
    operation: request.operation,
    group: request.group,
    channelId: request.channelId,
    requestedModel: request.requestedModel,
    model: price.model,
    isStream: request.isStream,
    end: request.end,
    startedAtMs: request.startedAtMs,
    durationMs: request.durationMs,
    firstByteMs: request.firstByteMs,
    attempts: request.attempts,
    replaced: request.replaced,
    trace: request.trace,
    quota: charged,
    promptTokens: counts.promptTokens,
    completionTokens: counts.completionTokens,
    usage: counts.usage ?? NO_USAGE,
    promptSource: counts.promptSource ?? counts.source,
    completionSource: counts.completionSource ?? counts.source,
    shortfall,
    takenFromKey,
    keyShortfall,
    priceVersion: price.version,
    formula,
    formulaUnits: units,
    use,
    content: withGroup(
      request,
      consumeLogContent(explanation, counts.source, shortfall, keyShortfall, delivery),
    ),
    rule: price.rule,
    cost: boughtAt && costAnswer(boughtAt, counts),
  };
};

/** Which group it was, where that does not go without saying. */
const withGroup = ({ key, group }: RequestRecord, content: readonly LogPhrase[]): readonly LogPhrase[] =>
  key.group === undefined && key.user.groups.length <= 1
    ? content
    : [...content, { code: "by-group", group }];

/** The prompt's tokens as the hold needs them, quickly. */
export const estimatePromptTokens = ({ pieces }: PromptText): number => {
  let bytes = Math.max(0, pieces.length - 1);
  for (const piece of pieces) bytes += Buffer.byteLength(piece);
  return approximateTokens(bytes);
};
