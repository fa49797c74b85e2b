import type { PriceRule, PriceRules } from "@tollgate/contract/management/price-rule";
import { type Decimal, parseDecimal } from "@tollgate/contract/values/decimal";
import { fitsWildcard, isLiteral, literalLength } from "@tollgate/contract/values/wildcard";

/** The payer of a request, with the fields that prices depend on. */
export interface Payer {
  /** undefined for no user in particular. */
  readonly id?: number | undefined;
  /** The groups that the user is in, in their order. */
  readonly groups: readonly string[];
}

/** The fields that select a rule. */
export interface PricedRequest {
  readonly userId: number | undefined;
  /** The group of the request. */
  readonly group: string;
  /** The upstream's name. */
  readonly model: string;
  /** The client's name. */
  readonly requestedModel: string;
  /** The client's name with an effort at its end, which a rule may name in full. */
  readonly effortName?: string | undefined;
}

/** A rule, ready for arithmetic. */
export interface PricingRule {
  readonly name: string;
  readonly rule: PriceRule;
  readonly factor: Decimal | undefined;
  readonly ratio: Decimal | undefined;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The rule that applies at a moment, and the end of its known validity. */
export interface FoundRule {
  readonly rule: PricingRule | undefined;
  /** Milliseconds since the epoch at which another one may apply; Infinity when none is known. */
  readonly untilMs: number;
}

const subjectRank = ({ user, group }: PriceRule): number =>
  (user === undefined ? 2 : 0) + (group === undefined ? 1 : 0);

/**
 * The order of two rules that both match a request: first a customer's (in a group, then in any), then a group's, then
 * one for all users; then a name before a pattern, and a longer pattern before a shorter one; then the client's model
 * name before the upstream's; then the later start before the earlier; then by name. Names are unique, so there is no
 * tie.
 */
export const comparePrecedence = (a: PricingRule, b: PricingRule): number => {
  const steps = [
    subjectRank(a.rule) - subjectRank(b.rule),
    Number(isLiteral(b.rule.models)) - Number(isLiteral(a.rule.models)),
    literalLength(b.rule.models) - literalLength(a.rule.models),
    b.rule.models.length - a.rule.models.length,
    Number(a.rule.names !== "requested") - Number(b.rule.names !== "requested"),
    a.fromMs === b.fromMs ? 0 : a.fromMs > b.fromMs ? -1 : 1,
  ];
  const decided = steps.find((step) => step !== 0);
  if (decided !== undefined) return decided;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
};

const momentOf = (text: string | undefined, otherwise: number): number =>
  text === undefined ? otherwise : Date.parse(text);

const pricingRule = (name: string, rule: PriceRule): PricingRule => ({
  name,
  rule,
  factor: rule.factor === undefined ? undefined : parseDecimal(rule.factor),
  ratio: rule.ratio === undefined ? undefined : parseDecimal(rule.ratio),
  fromMs: momentOf(rule.from, Number.NEGATIVE_INFINITY),
  untilMs: momentOf(rule.until, Number.POSITIVE_INFINITY),
});

/** The rules of one subject, in their order of precedence. */
interface SubjectRules {
  /** By whole names. */
  readonly exact: Map<string, PricingRule[]>;
  readonly patterns: PricingRule[];
}

const isFor = ({ rule }: PricingRule, { model, requestedModel, effortName }: PricedRequest): boolean =>
  rule.models === effortName ||
  fitsWildcard(rule.models, rule.names === "requested" ? requestedModel : model);

/** Rules, sorted once so that finding a price checks only a few. */
export class RuleBook {
  /** All of them, in their order of precedence. */
  readonly rules: readonly PricingRule[];
  private readonly users = new Set<number>();
  private readonly bySubject = new Map<string, SubjectRules>();

  constructor(rules: PriceRules) {
    this.rules = [...rules].map(([name, rule]) => pricingRule(name, rule)).sort(comparePrecedence);
    for (const rule of this.rules) this.add(rule);
  }

  /** Whether a rule is for this customer alone. */
  names(userId: number | undefined): boolean {
    return userId !== undefined && this.users.has(userId);
  }

  /** The first rule that fits and holds at a moment. @param nowMs milliseconds since the epoch. */
  find(request: PricedRequest, nowMs: number): FoundRule {
    const { userId, group } = request;
    let untilMs = Number.POSITIVE_INFINITY;
    const subjects =
      userId === undefined
        ? [subjectKey(undefined, group), subjectKey(undefined, undefined)]
        : [
            subjectKey(userId, group),
            subjectKey(userId, undefined),
            subjectKey(undefined, group),
            subjectKey(undefined, undefined),
          ];
    for (const subject of subjects) {
      const known = this.bySubject.get(subject);
      if (!known) continue;
      for (const rule of candidatesOf(known, request)) {
        if (rule.untilMs <= nowMs || !isFor(rule, request)) continue;
        if (rule.fromMs <= nowMs) return { rule, untilMs: Math.min(untilMs, rule.untilMs) };
        untilMs = Math.min(untilMs, rule.fromMs);
      }
    }
    return { rule: undefined, untilMs };
  }

  private add(rule: PricingRule): void {
    const { user, group, models } = rule.rule;
    if (user !== undefined) this.users.add(user);
    const key = subjectKey(user, group);
    const known = this.bySubject.get(key) ?? { exact: new Map<string, PricingRule[]>(), patterns: [] };
    this.bySubject.set(key, known);
    if (!isLiteral(models)) known.patterns.push(rule);
    else if (known.exact.has(models)) known.exact.get(models)?.push(rule);
    else known.exact.set(models, [rule]);
  }
}

/** Numbers contain no blank, so keys are unique. */
const subjectKey = (user: number | undefined, group: string | undefined): string =>
  `${user ?? ""} ${group === undefined ? "" : `=${group}`}`;

/** Those that name the model, in their order, then the patterns in theirs. */
const candidatesOf = (
  { exact, patterns }: SubjectRules,
  { model, requestedModel, effortName = model }: PricedRequest,
): readonly PricingRule[] => {
  const named = [...new Set([model, requestedModel, effortName])].flatMap((name) => exact.get(name) ?? []);
  return named.length === 0 ? patterns : [...named.sort(comparePrecedence), ...patterns];
};
