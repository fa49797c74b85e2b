import { randomUUID } from "node:crypto";
import type { PurchaseRefusal } from "@tollgate/accounts/plans";
import type { User } from "@tollgate/accounts/users";
import {
  buyPlan,
  changePlan,
  createPlan,
  deletePlan,
  endSubscription,
  getPlan,
  givePlan,
  listOfferedPlans,
  listOwnSubscriptions,
  listPlans,
  listSubscriptions,
  MAX_PLANS,
  type Plan,
  type PlanBody,
  type ShownSubscription,
  SUBSCRIPTION_SORTS,
  type Subscription,
  setRenews,
} from "@tollgate/contract/api/plans";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import {
  editedLimits,
  LIMITS,
  type Limits,
  pickLimits,
  readLimits,
} from "@tollgate/contract/management/limits";
import { ROLE_ADMIN } from "@tollgate/contract/values/roles";
import type { MessageKey } from "../../locales/catalogue";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { implement, readInteger, readPage, readSort } from "../route";
import type { Services } from "../services";
import { checkFavour } from "../sign-in/account-rules";
import { checkTermsAccepted } from "../site/terms";
import { checkPlan, NEW_PLAN, type PlanSettings } from "./plan-rules";

/** Maximum number of their own subscriptions shown to a user. */
const MAX_OWN = 200;

const REFUSALS: Readonly<Record<PurchaseRefusal, MessageKey>> = {
  unaffordable: "plan-unaffordable",
  held: "plan-held",
  "often-enough": "plan-often-enough",
  followed: "plan-followed",
  "favour-refused": "plan-favour-refused",
};

/** @throws Failure when the plan was refused */
const done = (outcome: Subscription | PurchaseRefusal): Subscription => {
  if (typeof outcome === "string") throw new Failure(REFUSALS[outcome]);
  return outcome;
};

/** The settings present in a body, without its limits. */
const givenSettings = (body: PlanBody): Partial<PlanSettings> =>
  Object.fromEntries(
    Object.entries(body).filter(([name, value]) => value !== undefined && !Object.hasOwn(LIMITS, name)),
  );

/** A plan's limits after a call, all of them. @param before the present ones. */
const limitsAfter = (body: PlanBody, before?: Limits): Limits =>
  readLimits(editedLimits(before, pickLimits(body))) ?? {};

const findOffered = async ({ options, storage }: Services): Promise<Plan[]> =>
  options.isOn("PlansEnabled") ? (await storage.read.plans.all()).filter(({ isEnabled }) => isEnabled) : [];

/**
 * Finds a user whose plans the caller may manage.
 * @throws Failure
 */
const findManaged = ({ accounts }: Services, caller: User, userId: number): User => {
  const user = accounts.users.find(userId);
  if (!user) throw new Failure("user-not-found");
  checkFavour(caller, user);
  return user;
};

const show = ({ accounts }: Services, subscription: Subscription): ShownSubscription => ({
  ...subscription,
  username: accounts.users.find(subscription.userId)?.username ?? "",
});

/** @throws Failure */
const findPlan = async ({ storage }: Services, id: number): Promise<Plan> =>
  existing(await storage.read.plans.find(id));

/**
 * Finds a subscription of the caller, or for an administrator, of a user below.
 * @throws Failure
 */
const findSubscription = async (services: Services, caller: User, id: number): Promise<Subscription> => {
  const found = await services.storage.read.plans.subscription(id);
  if (!found || (found.userId !== caller.id && caller.role < ROLE_ADMIN))
    throw new Failure("record-not-found");
  if (found.userId !== caller.id) findManaged(services, caller, found.userId);
  return found;
};

/** Plans and their subscribers (docs/guides/plans.md). */
export const planRoutes = [
  implement(listPlans, ({ services }) => services.storage.read.plans.all()),

  implement(listOfferedPlans, ({ services }) => findOffered(services)),

  implement(getPlan, ({ services, params }) => findPlan(services, params.id)),

  implement(createPlan, async (context) => {
    const { storage, now } = context.services;
    const plan = { ...NEW_PLAN, ...givenSettings(context.body), limits: limitsAfter(context.body) };
    checkPlan(plan);
    if ((await storage.read.plans.all()).length >= MAX_PLANS) throw new Failure("plans-too-many");
    const made = await storage.write.plans.create({ ...plan, createdTime: now() }, context.caller.id);
    await audit(context.services, context, "plan.create", made.id, { title: made.title, price: made.price });
    return made;
  }),

  implement(changePlan, async (context) => {
    const { services, caller } = context;
    const { id, createdTime: _, ...known } = await findPlan(services, context.params.id);
    const settings = givenSettings(context.body);
    const change = { ...settings, limits: limitsAfter(context.body, known.limits) };
    checkPlan({ ...known, ...change });
    const changed = existing(await services.storage.write.plans.change(id, change, caller.id));
    await audit(services, context, "plan.update", id, { ...settings, ...pickLimits(context.body) });
    return changed;
  }),

  implement(deletePlan, async (context) => {
    const { id } = context.params;
    if (!(await context.services.storage.write.plans.remove(id))) throw new Failure("record-not-found");
    await audit(context.services, context, "plan.delete", id);
    return undefined;
  }),

  implement(listOwnSubscriptions, async ({ services, caller }) => {
    const own = await services.storage.read.plans.ofUser(caller.id, MAX_OWN);
    return own.map((each) => show(services, each));
  }),

  implement(listSubscriptions, async ({ services, query }) => {
    const filter = {
      ...(query.user_id ? { userId: readInteger(query.user_id) } : {}),
      ...(query.plan_id ? { planId: readInteger(query.plan_id) } : {}),
    };
    const page = await services.storage.read.plans.page(
      readPage(query) * PAGE_SIZE,
      PAGE_SIZE,
      filter,
      readSort(query, SUBSCRIPTION_SORTS),
    );
    return page.map((each) => show(services, each));
  }),

  implement(buyPlan, async ({ services, body, caller }) => {
    await checkTermsAccepted(services, caller);
    const plan = (await findOffered(services)).find(({ id }) => id === body.plan_id);
    if (!plan) throw new Failure("plan-not-offered");
    let follows: Subscription | undefined;
    if (body.follows !== undefined) {
      follows = await services.storage.read.plans.subscription(body.follows);
      if (follows?.userId !== caller.id) throw new Failure("record-not-found");
      if (follows.state === "ended") throw new Failure("plan-has-ended");
    }
    const bought = await services.plans.subscribe(caller, plan, {
      source: "balance",
      reference: `bought:${randomUUID()}`,
      actorId: caller.id,
      renews: body.renews ?? false,
      follows,
    });
    return show(services, done(bought));
  }),

  implement(givePlan, async (context) => {
    const { services, body, caller } = context;
    const user = findManaged(services, caller, body.user_id);
    const plan = await findPlan(services, body.plan_id);
    const made = done(
      await services.plans.subscribe(user, plan, {
        source: "gift",
        reference: `given:${randomUUID()}`,
        actorId: caller.id,
        renews: false,
      }),
    );
    await audit(services, context, "subscription.give", made.id, { plan: plan.title }, user);
    return show(services, made);
  }),

  implement(setRenews, async ({ services, params, body, caller }) => {
    const { id, userId } = await findSubscription(services, caller, params.id);
    // A renewal is paid from the subscriber's balance: only they agree to that.
    if (userId !== caller.id) throw new Failure("record-not-found");
    if (body.renews) await checkTermsAccepted(services, caller);
    if (!(await services.storage.write.plans.setRenews(id, body.renews))) throw new Failure("plan-has-ended");
    return undefined;
  }),

  implement(endSubscription, async (context) => {
    const { services, caller } = context;
    const found = await findSubscription(services, caller, context.params.id);
    const user = findManaged(services, caller, found.userId);
    if (found.state === "ended") throw new Failure("plan-has-ended");
    await services.plans.endNow(found);
    await audit(services, context, "subscription.end", found.id, { plan: found.title }, user);
    return undefined;
  }),
];
