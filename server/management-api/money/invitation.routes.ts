import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import {
  askPayoutBodySchema,
  type CommissionWire,
  commissionWireSchema,
  decidePayoutBodySchema,
  type InvitationWire,
  type InvitedWire,
  invitationWireSchema,
  invitedWireSchema,
  type PayoutWire,
  payoutWireSchema,
  transferBodySchema,
} from "@tollgate/contract/management/invitation";
import { PAYOUT_STATES, type Payout } from "@tollgate/contract/records/commission-record";
import { PAGE_PARAMETER } from "@tollgate/contract/resource/endpoint";
import { StorageConflict } from "@tollgate/storage/errors";
import { z } from "zod/mini";
import { readCommissionRule } from "../../state/commission-rule";
import { audit } from "../audit";
import { Failure } from "../failure";
import { readMaybeChoice } from "../read-choice";
import { type Route, type RouteContext, readInteger, readPage, route } from "../route";
import type { Services } from "../services";

/** Who was invited is a person's own affair: enough of the name to know it again, whatever its length. */
export const maskName = (username: string): string => `${[...username][0] ?? ""}***`;

const encodePayout = ({ userId, createdAt, decidedAt, actorName, ...payout }: Payout): PayoutWire => ({
  ...payout,
  user_id: userId,
  created_time: createdAt,
  decided_time: decidedAt,
  actor_name: actorName,
});

/** Invitations and what they bring; beyond the contract. */
export const invitationRoutes = (services: Services): Route[] => {
  const { storage, accounts, options, now } = services;
  const { read, write } = storage;
  const offsetOf = (query: Record<string, string>): number => readPage(query) * PAGE_SIZE;

  const checkMinimum = (quota: number): void => {
    const minimum = options.number("CommissionMinimum");
    if (quota < minimum) throw new Failure("commission-minimum", { minimum });
  };

  /** What storage refuses, in words. */
  const moved = async <T>(step: Promise<T>): Promise<T> => {
    try {
      return await step;
    } catch (error) {
      if (!(error instanceof StorageConflict)) throw error;
      if (error.kind === "commission-short") throw new Failure("commission-short");
      throw error.kind === "balance-too-large" ? new Failure("redemption-quota-range") : error;
    }
  };

  const decide = async (
    context: RouteContext<"admin", { reason: string }>,
    state: "paid" | "declined",
  ): Promise<undefined> => {
    const { caller, params, body } = context;
    const reason = body.reason.trim();
    if (state === "declined" && reason === "") throw new Failure("payout-reason-missing");
    const id = readInteger(params.id);
    const payout = await write.commissions.decide(id, state, { actorId: caller.id, reason, at: now() });
    if (!payout) throw new Failure("payout-decided");
    const user = { id: payout.userId, username: accounts.users.find(payout.userId)?.username ?? "" };
    await audit(services, context, `payout.${state}`, id, { quota: payout.amount, reason }, user);
    return undefined;
  };

  return [
    route({
      method: "GET",
      path: "/api/invitation/self",
      guard: "user",
      summary: "What one has of invitations, and what they bring",
      data: invitationWireSchema,
      async answer({ caller }): Promise<InvitationWire> {
        const rule = readCommissionRule(options);
        return {
          ...(await read.commissions.summary(caller.id)),
          basis_points: rule?.basisPoints ?? 0,
          is_of_each: rule?.isOfEach ?? false,
          minimum: options.number("CommissionMinimum"),
        };
      },
    }),
    route({
      method: "GET",
      path: "/api/invitation/self/invited",
      guard: "user",
      summary: "A page of those whom one invited, their names cut short, the newest first",
      query: PAGE_PARAMETER,
      data: z.array(invitedWireSchema),
      async answer({ caller, query }): Promise<InvitedWire[]> {
        const invited = await read.commissions.invited(caller.id, offsetOf(query), PAGE_SIZE);
        return invited.map(({ id, username, createdAt, earned }) => ({
          id,
          name: maskName(username),
          created_time: createdAt,
          earned,
        }));
      },
    }),
    route({
      method: "GET",
      path: "/api/invitation/self/payouts",
      guard: "user",
      summary: "A page of one's requests to be paid out, the newest first",
      query: PAGE_PARAMETER,
      data: z.array(payoutWireSchema),
      async answer({ caller, query }) {
        const own = await read.commissions.payouts({ userId: caller.id }, offsetOf(query), PAGE_SIZE);
        return own.map((payout) => encodePayout({ ...payout, actorName: "" }));
      },
    }),
    route({
      method: "POST",
      path: "/api/invitation/self/transfer",
      guard: "user",
      summary: "Turns commission into balance; answers how much",
      data: z.int(),
      body: transferBodySchema,
      async answer({ caller, body: { quota } }) {
        checkMinimum(quota);
        return await moved(accounts.users.transferCommission(caller.id, quota));
      },
    }),
    route({
      method: "POST",
      path: "/api/invitation/self/payout",
      guard: "user",
      summary: "Asks for commission to be paid out, which is put aside for it; answers the request's id",
      data: z.int(),
      body: askPayoutBodySchema,
      async answer({ caller, body: { quota, note } }) {
        checkMinimum(quota);
        return await moved(write.commissions.ask(caller.id, quota, note.trim(), now()));
      },
    }),
    route({
      method: "GET",
      path: "/api/invitation/payouts",
      guard: "admin",
      summary: "A page of requests to be paid out, the newest first",
      query: {
        ...PAGE_PARAMETER,
        state: `Only those in this state: ${PAYOUT_STATES.map((state) => `\`${state}\``).join(", ")}.`,
      },
      data: z.array(payoutWireSchema),
      async answer({ query }) {
        const state = readMaybeChoice(PAYOUT_STATES, query.state);
        return (await read.commissions.payouts({ state }, offsetOf(query), PAGE_SIZE)).map(encodePayout);
      },
    }),
    route({
      method: "POST",
      path: "/api/invitation/payouts/:id/paid",
      guard: "admin",
      summary: "Says that a request was paid by hand",
      body: decidePayoutBodySchema,
      answer: (context) => decide(context, "paid"),
    }),
    route({
      method: "POST",
      path: "/api/invitation/payouts/:id/decline",
      guard: "admin",
      summary: "Declines a request with a reason: the commission goes back to whoever asked",
      body: decidePayoutBodySchema,
      answer: (context) => decide(context, "declined"),
    }),
    route({
      method: "GET",
      path: "/api/invitation/commissions",
      guard: "admin",
      summary: "A page of everybody's commissions, the newest first",
      query: PAGE_PARAMETER,
      data: z.array(commissionWireSchema),
      async answer({ query }): Promise<CommissionWire[]> {
        const found = await read.commissions.commissions(offsetOf(query), PAGE_SIZE);
        return found.map((each) => ({
          id: each.id,
          inviter_id: each.inviterId,
          inviter: each.inviter,
          user_id: each.userId,
          username: each.username,
          order_id: each.orderId,
          base: each.base,
          basis_points: each.basisPoints,
          amount: each.amount,
          taken_back: each.takenBack,
          missing: each.missing,
          created_time: each.createdAt,
        }));
      },
    }),
  ];
};
