import type { AppliedRule } from "@tollgate/contract/management/price-rule";
import type { SentRefusal } from "@tollgate/contract/relay/error";
import type { LogPhrase } from "@tollgate/contract/values/log-phrase";
import { readPhrase } from "../outbox/log-content";
import { numeral, quote, quoteOnce } from "../outbox/write-json";

/** Content of a receipt besides user and time. The field names are those of contract/api/receipts.ts. */
export interface ReceiptDetail {
  requestedModel: string;
  upstreamModel: string;
  end: string;
  isStream: boolean;
  durationMs: number;
  firstByteMs: number | undefined;
  promptTokens: number;
  completionTokens: number;
  cacheReadTokens: number | undefined;
  cacheWriteTokens: number | undefined;
  cacheWrite1hTokens: number | undefined;
  audioInputTokens: number | undefined;
  audioOutputTokens: number | undefined;
  reasoningTokens: number | undefined;
  promptSource: string;
  completionSource: string;
  quota: number;
  /** The part that the user's balance could not cover. */
  shortfall: number;
  /** The part of `quota` that a key with a limit did not have. */
  keyShortfall: number;
  priceVersion: number;
  formula: string;
  /** First part of the formula, where it is not tokens. */
  formulaUnits?: LogPhrase | undefined;
  /** The group by which it went; undefined where it was the only one that could be, or it is from before groups were kept. */
  group?: string | undefined;
  /** The price rule that held. */
  rule?: AppliedRule | undefined;
  /** The error sent to its client in place of an answer. */
  told?: SentRefusal | undefined;
  /** The client's name of the requested model, where that was an alias. */
  alias?: string | undefined;
  /** The used up budget because of which another model or group was asked. */
  atBudget?: string | undefined;
  attempts: readonly AttemptDetail[];
  /** Cost at the upstream, in thousandths of quota, and its arithmetic: for administrators alone. */
  cost?: { cost: number; formula: string } | undefined;
}

export interface AttemptDetail {
  channelId: number;
  /** "ok", or the kind of error. */
  outcome: string;
  /** HTTP status of the upstream, 0 for none. */
  status: number;
  /** Milliseconds after the request's begin. */
  startedMs: number;
  firstByteMs: number | undefined;
  durationMs: number;
  /** Changes by the channel's overrides, by name. */
  overrides?: readonly string[];
  /** Why the channel was chosen; absent where it was by priority and weight. */
  chosenBy?: string;
  /** The model, where it is not the one that the client asked for. */
  fallbackModel?: string;
  /** The model that the answer names. */
  servedModel?: string;
  /** Whether that is another one than was asked for; absent where it is not known. */
  isOtherModel?: boolean;
  /** What its upstream may charge although nothing was charged for it: for administrators alone. */
  endedCost?: { model: string; cost: number; formula: string; isEstimate: boolean };
}

/** Stands for the name that was sent to the upstream. */
const SAME_NAME = 1;

type AttemptTuple = [
  channelId: number,
  outcome: string,
  status: number,
  startedMs: number,
  firstByteMs: number | null,
  durationMs: number,
  overrides?: string[] | null,
  chosenBy?: string | null,
  fallbackModel?: string | null,
  servedModel?: string | typeof SAME_NAME | null,
  isOtherModel?: 0 | 1 | null,
  endedCost?: [model: string, cost: number, formula: string, isEstimate: 0 | 1],
];

type DetailTuple = [
  requestedModel: string,
  upstreamModel: string,
  end: string,
  isStream: 0 | 1,
  durationMs: number,
  firstByteMs: number | null,
  promptTokens: number,
  completionTokens: number,
  cacheReadTokens: number | null,
  cacheWriteTokens: number | null,
  reasoningTokens: number | null,
  promptSource: string,
  completionSource: string,
  quota: number,
  shortfall: number,
  priceVersion: number,
  formula: string,
  attempts: AttemptTuple[],
  cacheWrite1hTokens?: number | null,
  audioInputTokens?: number | null,
  audioOutputTokens?: number | null,
  keyShortfall?: number,
  formulaUnits?: LogPhrase | null,
  cost?: number | null,
  costFormula?: string | null,
  group?: string | null,
  rule?: AppliedRule | null,
  told?: SentRefusal | null,
  alias?: string | null,
  atBudget?: string,
];

const encodeServed = ({ servedModel, isOtherModel }: AttemptDetail, upstreamModel: string): string => {
  if (servedModel === upstreamModel && isOtherModel === false) return `${SAME_NAME}`;
  const compared = isOtherModel === undefined ? "" : isOtherModel ? ",1" : ",0";
  return `${quote(servedModel ?? "")}${compared}`;
};

/** An attempt that ended at a cost; few do. */
const encodeEnded = (attempt: AttemptDetail, upstreamModel: string): string => {
  const { overrides, chosenBy, fallbackModel, servedModel, isOtherModel, endedCost } = attempt;
  const before = [overrides ?? null, chosenBy ?? null, fallbackModel ?? null];
  const served = [servedModel ?? null, isOtherModel === undefined ? null : Number(isOtherModel)];
  const ended = endedCost && [
    endedCost.model === upstreamModel ? "" : endedCost.model,
    endedCost.cost,
    endedCost.formula,
    endedCost.isEstimate ? 1 : 0,
  ];
  return `,${JSON.stringify([...before, ...served, ended]).slice(1, -1)}`;
};

const encodeMore = (attempt: AttemptDetail, upstreamModel: string): string => {
  const { overrides, chosenBy, fallbackModel, servedModel } = attempt;
  if (attempt.endedCost) return encodeEnded(attempt, upstreamModel);
  if (servedModel !== undefined) {
    const before = JSON.stringify([overrides ?? null, chosenBy ?? null, fallbackModel ?? null]);
    return `,${before.slice(1, -1)},${encodeServed(attempt, upstreamModel)}`;
  }
  if (fallbackModel !== undefined)
    return `,${JSON.stringify([overrides ?? null, chosenBy ?? null, fallbackModel]).slice(1, -1)}`;
  if (chosenBy === undefined) return overrides ? `,${JSON.stringify(overrides)}` : "";
  return `,${overrides ? JSON.stringify(overrides) : "null"},${quote(chosenBy)}`;
};

const encodeAttempt = (attempt: AttemptDetail, upstreamModel: string): string =>
  `[${numeral(attempt.channelId)},${quote(attempt.outcome)},${numeral(attempt.status)},${numeral(attempt.startedMs)},${numeral(attempt.firstByteMs)},${numeral(attempt.durationMs)}${encodeMore(attempt, upstreamModel)}]`;

/** The refusal, the alias and the budget, behind the group and the rule, for the few requests with one of them. */
const encodeSeldom = ({ group, rule, told, alias, atBudget }: ReceiptDetail): string => {
  const fields = [group, rule, told, alias, atBudget];
  const last = fields.findLastIndex((field) => field !== undefined);
  return `,${JSON.stringify(fields.slice(0, last + 1)).slice(1, -1)}`;
};

/** The group, the rule, the refusal, the alias and the budget; "" for a request with none of them. */
const encodePriced = (detail: ReceiptDetail): string => {
  const { group, rule, told, alias, atBudget } = detail;
  if (told !== undefined || alias !== undefined || atBudget !== undefined) return encodeSeldom(detail);
  if (rule) return `,${group === undefined ? "null" : quote(group)},${JSON.stringify(rule)}`;
  return group === undefined ? "" : `,${quote(group)}`;
};

/** Fields that hardly any request has, except those bought at a known price. */
const encodeRare = (detail: ReceiptDetail): string => {
  const { cacheWrite1hTokens, audioInputTokens, audioOutputTokens, keyShortfall, formulaUnits } = detail;
  const { cost } = detail;
  const classed = (cacheWrite1hTokens ?? 0) + (audioInputTokens ?? 0) + (audioOutputTokens ?? 0);
  const priced = encodePriced(detail);
  if (classed + keyShortfall <= 0 && !formulaUnits && !cost && priced === "") return "";
  const counts = `,${numeral(cacheWrite1hTokens)},${numeral(audioInputTokens)},${numeral(audioOutputTokens)}`;
  if (cost || priced !== "") {
    const units = formulaUnits ? JSON.stringify(formulaUnits) : "null";
    const bought = cost ? `${numeral(cost.cost)},${quoteOnce(cost.formula)}` : "null,null";
    return `${counts},${numeral(keyShortfall)},${units},${bought}${priced}`;
  }
  if (formulaUnits) return `${counts},${numeral(keyShortfall)},${JSON.stringify(formulaUnits)}`;
  return keyShortfall > 0 ? `${counts},${numeral(keyShortfall)}` : counts;
};

/** A receipt as it is stored, a DetailTuple: a list without names, because there is one for each request. */
export const encodeReceiptDetail = (detail: ReceiptDetail): string => {
  const kind = `${quote(detail.requestedModel)},${quote(detail.upstreamModel)},${quote(detail.end)},${detail.isStream ? 1 : 0}`;
  const times = `${numeral(detail.durationMs)},${numeral(detail.firstByteMs)}`;
  const counts = `${numeral(detail.promptTokens)},${numeral(detail.completionTokens)},${numeral(detail.cacheReadTokens)},${numeral(detail.cacheWriteTokens)},${numeral(detail.reasoningTokens)}`;
  const sources = `${quote(detail.promptSource)},${quote(detail.completionSource)}`;
  const charge = `${numeral(detail.quota)},${numeral(detail.shortfall)},${numeral(detail.priceVersion)},${quoteOnce(detail.formula)}`;
  let attempts = "";
  for (const attempt of detail.attempts)
    attempts += (attempts === "" ? "" : ",") + encodeAttempt(attempt, detail.upstreamModel);
  return `[${kind},${times},${counts},${sources},${charge},[${attempts}]${encodeRare(detail)}]`;
};

/** Reads only the counts of the prompt's cache, for lists of lines. */
export const readCacheTokens = (
  text: string,
): { cachedTokens: number | undefined; cacheWriteTokens: number | undefined } => {
  const tuple = JSON.parse(text) as DetailTuple;
  return { cachedTokens: tuple[8] ?? undefined, cacheWriteTokens: tuple[9] ?? undefined };
};

const decodeServed = (
  { 9: name, 10: isOther }: AttemptTuple,
  upstreamModel: string,
): Pick<AttemptDetail, "servedModel" | "isOtherModel"> => {
  if (name === undefined || name === null) return {};
  if (name === SAME_NAME) return { servedModel: upstreamModel, isOtherModel: false };
  const isCompared = isOther !== undefined && isOther !== null;
  return { servedModel: name, ...(isCompared ? { isOtherModel: isOther === 1 } : {}) };
};

const decodeEnded = (
  { 11: ended }: AttemptTuple,
  upstreamModel: string,
): Pick<AttemptDetail, "endedCost"> => {
  if (!ended) return {};
  const [model, cost, formula, isEstimate] = ended;
  return { endedCost: { model: model || upstreamModel, cost, formula, isEstimate: isEstimate === 1 } };
};

const decodeAttempt = (attempt: AttemptTuple, upstreamModel: string): AttemptDetail => ({
  channelId: attempt[0],
  outcome: attempt[1],
  status: attempt[2],
  startedMs: attempt[3],
  firstByteMs: attempt[4] ?? undefined,
  durationMs: attempt[5],
  ...(attempt[6] ? { overrides: attempt[6] } : {}),
  ...(attempt[7] ? { chosenBy: attempt[7] } : {}),
  ...(typeof attempt[8] === "string" ? { fallbackModel: attempt[8] } : {}),
  ...decodeServed(attempt, upstreamModel),
  ...decodeEnded(attempt, upstreamModel),
});

/** What `encodePriced` wrote. */
const decodePriced = (
  tuple: DetailTuple,
): Pick<ReceiptDetail, "group" | "rule" | "told" | "alias" | "atBudget"> => ({
  group: tuple[25] ?? undefined,
  rule: tuple[26] ?? undefined,
  told: tuple[27] ?? undefined,
  alias: tuple[28] ?? undefined,
  atBudget: tuple[29],
});

export const decodeReceiptDetail = (text: string): ReceiptDetail => {
  const tuple = JSON.parse(text) as DetailTuple;
  return {
    requestedModel: tuple[0],
    upstreamModel: tuple[1],
    end: tuple[2],
    isStream: tuple[3] === 1,
    durationMs: tuple[4],
    firstByteMs: tuple[5] ?? undefined,
    promptTokens: tuple[6],
    completionTokens: tuple[7],
    cacheReadTokens: tuple[8] ?? undefined,
    cacheWriteTokens: tuple[9] ?? undefined,
    reasoningTokens: tuple[10] ?? undefined,
    promptSource: tuple[11],
    completionSource: tuple[12],
    quota: tuple[13],
    shortfall: tuple[14],
    priceVersion: tuple[15],
    formula: tuple[16],
    attempts: tuple[17].map((attempt) => decodeAttempt(attempt, tuple[1])),
    cacheWrite1hTokens: tuple[18] ?? undefined,
    audioInputTokens: tuple[19] ?? undefined,
    audioOutputTokens: tuple[20] ?? undefined,
    keyShortfall: tuple[21] ?? 0,
    formulaUnits: readPhrase(tuple[22] ?? undefined),
    cost: typeof tuple[23] === "number" ? { cost: tuple[23], formula: tuple[24] ?? "" } : undefined,
    ...decodePriced(tuple),
  };
};
