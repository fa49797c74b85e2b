import type { CountSource } from "@tollgate/contract/api/receipts";
import type { Extras } from "@tollgate/contract/relay/extras";
import type { Units } from "@tollgate/contract/relay/operation";
import type { PromptText } from "@tollgate/contract/relay/prompt-text";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import type { LogPhrase } from "@tollgate/contract/values/log-phrase";
import { priceAnswer } from "@tollgate/metering/bill";
import { costAnswer } from "@tollgate/metering/cost";
import { approximateTokens } from "@tollgate/metering/estimate";
import { explainBill, explainCharge, explainUnitCharge } from "@tollgate/metering/formula";
import { settle } from "@tollgate/metering/ledger";
import { consumeLogContent, type Delivery, type UsageSource } from "@tollgate/metering/log-content";
import type { Price } from "@tollgate/metering/price";
import { type Buyer, type PricedUse, useOfTokens, useOfUnits } from "@tollgate/metering/priced-use";
import { explainUnits, priceUnits } from "@tollgate/metering/unit-price";
import type { ChargeRecord, Pricing, RequestRecord } from "../ports/charges";
import type { Reservation } from "./reserve-quota";

/** Token counts of an answer and their sources. */
export interface Counts {
  promptTokens: number;
  completionTokens: number;
  source: UsageSource;
  /** Units charged in place of tokens: images, seconds … */
  units?: Units | undefined;
  /** Number of charges of a price per call, if not one. */
  calls?: number | undefined;
  /** The source of each count, if they differ. */
  promptSource?: CountSource;
  completionSource?: CountSource;
  /** The upstream's report of the classes within the two counts. */
  usage?: Usage;
  /** The extras requested from the upstream, beyond tokens. */
  extras?: Extras | undefined;
}

/** The price of an answer and its explanation, for the log line and the receipt. */
interface ExplainedBill {
  asked: number;
  explanation: readonly LogPhrase[];
  /** The start of the arithmetic, if it is not tokens. */
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
 * The last step: turns the hold into a charge in memory, and returns the record that must be stored before the answer
 * may end.
 * @param buys the upstream's price, so that the answer's cost is recorded at today's price.
 */
export const settleRequest = (
  placed: Reservation,
  request: RequestRecord,
  counts: Counts,
  delivery: Delivery,
  buys?: Pricing["buys"],
): ChargeRecord => {
  const { price } = placed;
  // Its price was found by the last requested name, which may be a fallback's rather than the client's.
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
    alias: request.alias,
    atBudget: request.atBudget,
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
    content: withNames(
      request,
      consumeLogContent(explanation, counts.source, shortfall, keyShortfall, delivery),
    ),
    rule: price.rule,
    cost: boughtAt && costAnswer(boughtAt, counts),
  };
};

/** Names the alias that the client used, what answered at a budget, and the group when it is not obvious. */
const withNames = (
  { key, group, alias, atBudget, requestedModel, attempts }: RequestRecord,
  content: readonly LogPhrase[],
): readonly LogPhrase[] => {
  const aliased: readonly LogPhrase[] =
    alias === undefined ? content : [...content, { code: "by-alias", name: alias }];
  const model = attempts.at(-1)?.fallbackModel ?? requestedModel;
  const named: readonly LogPhrase[] =
    atBudget === undefined ? aliased : [...aliased, { code: "at-budget", model }];
  return key.group === undefined && key.user.groups.length <= 1 && atBudget === undefined
    ? named
    : [...named, { code: "by-group", group }];
};

/** The prompt's tokens as the hold needs them, quickly. */
export const estimatePromptTokens = ({ pieces }: PromptText): number => {
  let bytes = Math.max(0, pieces.length - 1);
  for (const piece of pieces) bytes += Buffer.byteLength(piece);
  return approximateTokens(bytes);
};
