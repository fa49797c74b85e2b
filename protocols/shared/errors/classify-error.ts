import type { UpstreamError, UpstreamErrorKind } from "@tollgate/contract/relay/error";
import type { ErrorDetails } from "./error-details";

/** A row of a protocol's error table: the meaning of these codes, types or phrases. */
export interface ErrorRule {
  kind: UpstreamErrorKind;
  /** Codes or types, as the vendor spells them. */
  codes?: readonly string[];
  /** Parts of the message, in lower case. */
  phrases?: readonly string[];
  /** Only with these HTTP statuses; with any by default. */
  statuses?: readonly number[];
}

/** Statuses with which a word like "balance" refers to the account rather than to a parameter of the request. */
const ACCOUNT_STATUSES = [401, 402, 403, 429] as const;

/** Errors common to vendors of every shape, checked after the protocol's own rows. */
const COMMON_RULES: readonly ErrorRule[] = [
  {
    kind: "dead-key",
    phrases: [
      "your access was terminated",
      "violation of our policies",
      "your credit balance is too low",
      "organization has been disabled",
      "organization has been restricted",
      "api key not valid",
      "api key expired",
      "已欠费",
      "余额不足",
      "额度不足",
      "令牌已过期",
      "令牌已禁用",
      "无效的令牌",
      "账户被封禁",
    ],
    // The status of a success with an error inside gives no further information.
    statuses: [200, 400, ...ACCOUNT_STATUSES],
  },
  { kind: "model-missing", phrases: ["model", "region", "country"], statuses: [403] },
  {
    kind: "dead-key",
    phrases: [
      "credit",
      "balance",
      "billing",
      "permission denied",
      "api key",
      "account",
      "suspended",
      "expired",
    ],
    statuses: [402, 403],
  },
  { kind: "dead-key", phrases: ["credit balance", "insufficient balance", "out of credit"], statuses: [429] },
];

/** Statuses of refusals that may quote the request, whose words are then the client's. */
const QUOTING_STATUSES: readonly number[] = [200, 400, 404, 413, 415, 422];

/**
 * Classifies an error by the protocol's own table, then by the common rules, then by the status.
 * @param status HTTP status; 200 when the error came inside a success.
 * @returns members of the error: its kind, and the phrase that decides it.
 */
export const classifyError = (
  rules: readonly ErrorRule[],
  status: number,
  details: ErrorDetails,
): Pick<UpstreamError, "kind" | "worded"> => {
  if (details.fault)
    return { kind: status >= 500 ? "overloaded" : status === 429 ? "rate-limited" : "unknown" };
  const all = [...rules, ...COMMON_RULES];
  const kindBy = (rule: ErrorRule | undefined): UpstreamErrorKind =>
    rule?.kind ?? kindOfStatus(status < 400 ? statusInCode(details.code) : status);
  const rule = all.find((each) => matches(each, status, details));
  const kind = kindBy(rule);
  const phrase = QUOTING_STATUSES.includes(status) ? rule && phraseOf(rule, details) : undefined;
  if (phrase === undefined) return { kind };
  const wordless = all.find((each) => each.phrases === undefined && matches(each, status, details));
  return { kind, worded: { phrase, otherwise: kindBy(wordless) } };
};

const phraseOf = (rule: ErrorRule, details: ErrorDetails): string | undefined =>
  rule.phrases?.find((phrase) => details.phrases.includes(phrase));

const matches = (rule: ErrorRule, status: number, details: ErrorDetails): boolean => {
  const { code, type, reasons = [] } = details;
  if (rule.statuses && !rule.statuses.includes(status)) return false;
  if (rule.codes && ![code, type, ...reasons].some((each) => rule.codes?.includes(each))) return false;
  return rule.phrases === undefined || phraseOf(rule, details) !== undefined;
};

/** The error as one of another kind, which no words decide. */
export const withKind = ({ worded: _, ...error }: UpstreamError, kind: UpstreamErrorKind): UpstreamError => ({
  ...error,
  kind,
});

/** Relays put the real status into the code of an error inside a success. */
const statusInCode = (code: string): number => (/^[45]\d\d$/.test(code) ? Number(code) : 0);

/** Classifies an error by its status alone. */
export const kindOfStatus = (status: number): UpstreamErrorKind => {
  switch (status) {
    case 400:
    case 413:
    case 415:
    case 422:
      return "caller";
    case 401:
    case 402:
      return "dead-key";
    case 404:
      return "model-missing";
    case 429:
      return "rate-limited";
    case 408:
    case 409:
    case 424:
    case 425:
    case 499:
      return "overloaded";
    default:
      return status >= 500 ? "overloaded" : "unknown";
  }
};
