import { randomUUID } from "node:crypto";
import type { PurchaseRefusal } from "@tollgate/accounts/plans";
import type { User } from "@tollgate/accounts/users";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import {
  buyPlanBodySchema,
  encodePlan,
  encodeSubscription,
  givePlanBodySchema,
  MOST_PLANS,
  type Plan,
  type PlanBody,
  planBodySchema,
  planWireSchema,
  renewsBodySchema,
  type Subscription,
  type SubscriptionWire,
  subscriptionWireSchema,
} from "@tollgate/contract/management/plan";
import { ROLE_ADMIN } from "@tollgate/contract/values/roles";
import { z } from "zod/mini";
import type { MessageKey } from "../../locales/catalogue";
import { audit } from "../audit";
import { Failure } from "../failure";
import { PAGE_PARAMETER, type Route, readInteger, readPage, route } from "../route";
import type { Services } from "../services";
import { checkFavour } from "../sign-in/account-rules";
import { checkPlan, NEW_PLAN, type PlanSettings } from "./plan-rules";

/** A user's own subscriptions are shown as far back as that. */
const MOST_OWN = 200;

const REFUSALS: Readonly<Record<PurchaseRefusal, MessageKey>> = {
  unaffordable: "plan-unaffordable",
  held: "plan-held",
  "often-enough": "plan-often-enough",
  followed: "plan-followed",
  "favour-refused": "plan-favour-refused",
};

/** @throws Failure */
const done = (outcome: Subscription | PurchaseRefusal): Subscription => {
  if (typeof outcome === "string") throw new Failure(REFUSALS[outcome]);
  return outcome;
};

/** What a body says; what it leaves out is not there. */
const given = (body: PlanBody): Partial<PlanSettings> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

/** Plans and who has them (docs/guides/plans.md). */
export const planRoutes = (services: Services): Route[] => {
  const { storage, accounts, plans, options, now } = services;

  const offered = async (): Promise<Plan[]> =>
    options.isOn("PlansEnabled") ? (await storage.read.plans.all()).filter(({ isEnabled }) => isEnabled) : [];

  /** A user whose plans the caller decides about. @throws Failure */
  const managed = (caller: User, userId: number): User => {
    const user = accounts.users.find(userId);
    if (!user) throw new Failure("user-not-found");
    checkFavour(caller, user);
    return user;
  };

  const shown = (subscription: Subscription): SubscriptionWire =>
    encodeSubscription({
      ...subscription,
      username: accounts.users.find(subscription.userId)?.username ?? "",
    });

  const findPlan = async (id: number): Promise<Plan> => {
    const plan = await storage.read.plans.find(id);
    if (!plan) throw new Failure("record-not-found");
    return plan;
  };

  /** One of the caller's own, or for an administrator, of a user below. */
  const findSubscription = async (caller: User, id: number): Promise<Subscription> => {
    const found = await storage.read.plans.subscription(id);
    if (!found || (found.userId !== caller.id && caller.role < ROLE_ADMIN))
      throw new Failure("record-not-found");
    if (found.userId !== caller.id) managed(caller, found.userId);
    return found;
  };

  return [
    route({
      method: "GET",
      path: "/api/plan",
      guard: "admin",
      summary: "All plans, in the order in which they are offered",
      data: z.array(planWireSchema),
      answer: async () => (await storage.read.plans.all()).map(encodePlan),
    }),
    route({
      method: "GET",
      path: "/api/plan/offered",
      guard: "user",
      summary: "The plans that can be bought; none where the site offers none",
      data: z.array(planWireSchema),
      answer: async () => (await offered()).map(encodePlan),
    }),
    route({
      method: "GET",
      path: "/api/plan/:id",
      guard: "admin",
      summary: "One plan",
      data: planWireSchema,
      answer: async ({ params }) => encodePlan(await findPlan(readInteger(params.id))),
    }),
    route({
      method: "POST",
      path: "/api/plan",
      guard: "admin",
      summary: "Makes a plan",
      data: planWireSchema,
      body: planBodySchema,
      async answer(context) {
        const plan = { ...NEW_PLAN, ...given(context.body) };
        checkPlan(plan);
        if ((await storage.read.plans.all()).length >= MOST_PLANS) throw new Failure("plans-too-many");
        const made = await storage.write.plans.create({ ...plan, createdTime: now() }, context.caller.id);
        await audit(services, context, "plan.create", made.id, { title: made.title, price: made.price });
        return encodePlan(made);
      },
    }),
    route({
      method: "PUT",
      path: "/api/plan/:id",
      guard: "admin",
      summary: "Changes a plan; who has it keeps it on the terms of before",
      data: planWireSchema,
      body: planBodySchema,
      async answer(context) {
        const { id, createdTime: _, ...known } = await findPlan(readInteger(context.params.id));
        const change = given(context.body);
        checkPlan({ ...known, ...change });
        const changed = await storage.write.plans.change(id, change, context.caller.id);
        if (!changed) throw new Failure("record-not-found");
        await audit(services, context, "plan.update", id, change);
        return encodePlan(changed);
      },
    }),
    route({
      method: "DELETE",
      path: "/api/plan/:id",
      guard: "admin",
      summary: "Deletes a plan; who has it keeps it until it ends, and it is not renewed",
      async answer(context) {
        const id = readInteger(context.params.id);
        if (!(await storage.write.plans.remove(id))) throw new Failure("record-not-found");
        await audit(services, context, "plan.delete", id);
        return undefined;
      },
    }),
    route({
      method: "GET",
      path: "/api/subscription/self",
      guard: "user",
      summary: "The caller's subscriptions, the newest first, with what is left of their periods",
      data: z.array(subscriptionWireSchema),
      answer: async ({ caller }) => (await storage.read.plans.ofUser(caller.id, MOST_OWN)).map(shown),
    }),
    route({
      method: "GET",
      path: "/api/subscription",
      guard: "admin",
      summary: "A page of the subscriptions, the newest first",
      query: { ...PAGE_PARAMETER, user_id: "only those of this user", plan_id: "only those of this plan" },
      data: z.array(subscriptionWireSchema),
      async answer({ query }) {
        const filter = {
          ...(query.user_id ? { userId: readInteger(query.user_id) } : {}),
          ...(query.plan_id ? { planId: readInteger(query.plan_id) } : {}),
        };
        const page = await storage.read.plans.page(readPage(query) * PAGE_SIZE, PAGE_SIZE, filter);
        return page.map(shown);
      },
    }),
    route({
      method: "POST",
      path: "/api/subscription",
      guard: "user",
      summary: "Buys a plan from the balance, now or after one that the caller has",
      data: subscriptionWireSchema,
      body: buyPlanBodySchema,
      async answer({ body, caller }) {
        const plan = (await offered()).find(({ id }) => id === body.plan_id);
        if (!plan) throw new Failure("plan-not-offered");
        let follows: Subscription | undefined;
        if (body.follows !== undefined) {
          follows = await storage.read.plans.subscription(body.follows);
          if (follows?.userId !== caller.id) throw new Failure("record-not-found");
          if (follows.state === "ended") throw new Failure("plan-has-ended");
        }
        return shown(
          done(
            await plans.subscribe(caller, plan, {
              source: "balance",
              reference: `bought:${randomUUID()}`,
              actorId: caller.id,
              renews: body.renews ?? false,
              follows,
            }),
          ),
        );
      },
    }),
    route({
      method: "POST",
      path: "/api/subscription/given",
      guard: "admin",
      summary: "Gives a user a plan",
      data: subscriptionWireSchema,
      body: givePlanBodySchema,
      async answer(context) {
        const { body, caller } = context;
        const user = managed(caller, body.user_id);
        const plan = await findPlan(body.plan_id);
        const made = done(
          await plans.subscribe(user, plan, {
            source: "gift",
            reference: `given:${randomUUID()}`,
            actorId: caller.id,
            renews: false,
          }),
        );
        await audit(services, context, "subscription.give", made.id, { plan: plan.title }, user);
        return shown(made);
      },
    }),
    route({
      method: "PUT",
      path: "/api/subscription/:id/renews",
      guard: "user",
      summary: "Says whether a subscription is bought again from the balance when it ends",
      body: renewsBodySchema,
      async answer({ params, body, caller }) {
        const { id } = await findSubscription(caller, readInteger(params.id));
        if (!(await storage.write.plans.setRenews(id, body.renews))) throw new Failure("plan-has-ended");
        return undefined;
      },
    }),
    route({
      method: "POST",
      path: "/api/subscription/:id/end",
      guard: "admin",
      summary:
        "Ends a subscription now: what is unspent of its period is taken back, and nothing is paid back",
      async answer(context) {
        const found = await findSubscription(context.caller, readInteger(context.params.id));
        const user = managed(context.caller, found.userId);
        if (found.state === "ended") throw new Failure("plan-has-ended");
        await plans.endNow(found);
        await audit(services, context, "subscription.end", found.id, { plan: found.title }, user);
        return undefined;
      },
    }),
  ];
};
