import {
  deletePriceRule,
  listPriceRules,
  previewPriceRules,
  savePriceRule,
} from "@tollgate/contract/api/price-rules";
import type { Fault } from "@tollgate/contract/management/model-price";
import {
  findDateFaultOf,
  isPriceRuleName,
  MAX_PRICE_RULES,
  type PriceRule,
  type PriceRules,
  parsePriceRule,
  parsePriceRules,
  priceRuleFieldOf,
  writePriceRules,
} from "@tollgate/contract/management/price-rule";
import { isRoot } from "@tollgate/contract/values/roles";
import { findPrice, type Price, quotaPerUnitOf } from "@tollgate/metering/price";
import { usdPriceOf } from "@tollgate/metering/usd-price";
import { audit } from "../audit";
import { Failure } from "../failure";
import { implement, type Route, type RouteContext } from "../route";
import type { Services } from "../services";
import { checkFavour } from "../sign-in/account-rules";

/** Longest text of an option that a call may save (putOptionBodySchema). */
const LONGEST_TEXT = 1_000_000;

/** The rules as they are stored. @throws Failure where they cannot be read, so that nothing is written over them. */
const readRules = (text: string): PriceRules => {
  const rules = parsePriceRules(text);
  if ("fault" in rules) throw new Failure("option-data-invalid", { key: "PriceRules", place: rules.fault });
  return rules;
};

/** A rule as a person wrote it. @throws Failure */
const readRule = (name: string, written: Record<string, unknown>): PriceRule => {
  const rule = parsePriceRule(name, written);
  const refusal = ({ fault }: Fault): Failure => {
    const field = priceRuleFieldOf(name, fault);
    return new Failure("price-rule-invalid", { place: fault }).at(field && `rule.${field}`);
  };
  if ("fault" in rule) throw refusal(rule);
  const wrong = findDateFaultOf(name, rule);
  if (wrong) throw refusal(wrong);
  return rule;
};

const usdOf = (services: Services, price: Price | undefined) =>
  price && usdPriceOf(price, quotaPerUnitOf(services.pricing.book()));

const findUser = (services: Services, username: string) => {
  const user = services.accounts.users.findByName(username);
  if (!user) throw new Failure("price-rule-user-unknown", { username });
  return user;
};

/**
 * Refuses a rule that the caller may not write or delete. Administrators write rules that name a customer; all others are prices of
 * many users, and root's.
 * @throws Failure
 */
const checkRule = (
  { services, caller, rank }: Pick<RouteContext<"admin", unknown>, "services" | "caller" | "rank">,
  rule: PriceRule | undefined,
): void => {
  if (isRoot(rank) || rule === undefined) return;
  if (rule.user === undefined) throw new Failure("price-rule-root-only");
  const user = services.accounts.users.find(rule.user);
  if (user) checkFavour(caller, user);
};

/** The person whose price a rule sets, for the audit. */
const beneficiaryOf = (services: Services, rule: PriceRule | undefined) =>
  rule?.user === undefined
    ? undefined
    : { id: rule.user, username: services.accounts.users.find(rule.user)?.username ?? "" };

/** Prices of single customers, groups and models (docs/reference/prices.md#price-rules); beyond the contract. */
export const priceRuleRoutes: Route[] = [
  implement(listPriceRules, ({ services }) => ({
    price_version: services.options.priceVersion,
    rules: (services.pricing.book().rules?.rules ?? []).map(({ name, rule }) => ({
      name,
      username: (rule.user !== undefined && services.accounts.users.find(rule.user)?.username) || "",
      rule,
    })),
  })),
  implement(savePriceRule, async (context) => {
    const { body } = context;
    const { name, before, username, rule: written, price_version: version } = body;
    if (!isPriceRuleName(name)) throw new Failure("price-rule-name-invalid");
    const user = username ? findUser(context.services, username).id : undefined;
    const rule = readRule(name, { ...written, ...(user === undefined ? {} : { user }) });
    if (rule.user !== undefined && !context.services.accounts.users.find(rule.user) && !isRoot(context.rank))
      throw new Failure("price-rule-user-unknown", { username: `#${rule.user}` });
    checkRule(context, rule);
    await context.services.options.change("PriceRules", (text) => {
      if (context.services.options.priceVersion !== version) throw new Failure("price-rule-outdated");
      const rules = new Map(readRules(text));
      checkRule(context, before === undefined ? undefined : rules.get(before));
      if (before !== undefined && !rules.delete(before)) throw new Failure("record-not-found");
      if (rules.has(name)) throw new Failure("price-rule-name-taken", { name });
      if (rules.size >= MAX_PRICE_RULES)
        throw new Failure("price-rules-too-many", { limit: MAX_PRICE_RULES });
      const next = writePriceRules(rules.set(name, rule));
      if (next.length > LONGEST_TEXT) throw new Failure("price-rules-too-many", { limit: rules.size - 1 });
      return next;
    });
    const action = before === undefined ? "price-rule.create" : "price-rule.update";
    const detail = { before, rule: JSON.stringify(rule) };
    await audit(context.services, context, action, name, detail, beneficiaryOf(context.services, rule));
    return undefined;
  }),
  implement(deletePriceRule, async (context) => {
    const { name = "" } = context.query;
    let deleted: PriceRule | undefined;
    await context.services.options.change("PriceRules", (text) => {
      const rules = new Map(readRules(text));
      deleted = rules.get(name);
      checkRule(context, deleted);
      if (!rules.delete(name)) throw new Failure("record-not-found");
      return writePriceRules(rules);
    });
    await audit(
      context.services,
      context,
      "price-rule.delete",
      name,
      {},
      beneficiaryOf(context.services, deleted),
    );
    return undefined;
  }),
  implement(previewPriceRules, ({ services, body }) => {
    const { username, group, model, upstream_model: upstream } = body;
    const user = username === "" ? undefined : findUser(services, username);
    const payer = user && { id: user.id, groups: user.groups };
    const book = services.pricing.book();
    const nowMs = services.now() * 1000;
    const priced = upstream || model;
    const price = findPrice(book, priced, group, nowMs, payer, model);
    const usual = findPrice({ ...book, rules: undefined }, priced, group, nowMs, payer, model);
    return { price: usdOf(services, price), usual: usdOf(services, usual), rule: price?.rule };
  }),
];
