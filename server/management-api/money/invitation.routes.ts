import {
  askPayout,
  COMMISSION_SORTS,
  type CommissionWire,
  declinePayout,
  getInvitation,
  INVITED_SORTS,
  listCommissions,
  listInvited,
  listOwnPayouts,
  listPayouts,
  markPayoutPaid,
  OWN_PAYOUT_SORTS,
  PAYOUT_SORTS,
  type PayoutWire,
  transferCommission,
} from "@tollgate/contract/api/invitations";
import { PAYOUT_STATES, type Payout, sourcesOf } from "@tollgate/contract/records/commission-record";
import { StorageConflict } from "@tollgate/storage/errors";
import { readCommissionRule } from "../../state/commission-rule";
import { audit } from "../audit";
import { Failure } from "../failure";
import { readMaybeChoice } from "../read-choice";
import { implement, type RouteContext, readListPage } from "../route";
import type { Services } from "../services";

/** Invited people's names are private: shows enough to recognize one, whatever its length. */
export const maskName = (username: string): string => `${[...username][0] ?? ""}***`;

const encodePayout = ({ userId, createdAt, decidedAt, actorName, ...payout }: Payout): PayoutWire => ({
  ...payout,
  user_id: userId,
  created_time: createdAt,
  decided_time: decidedAt,
  actor_name: actorName,
});

const checkMinimum = ({ options }: Services, quota: number): void => {
  const minimum = options.number("CommissionMinimum");
  if (quota < minimum) throw new Failure("commission-minimum", { minimum });
};

/** Converts storage's refusals into sentences. */
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
  context: Pick<RouteContext<"admin", { reason: string }>, "services" | "caller" | "body" | "request">,
  id: number,
  state: "paid" | "declined",
): Promise<undefined> => {
  const { services, caller, body } = context;
  const { accounts, storage, now } = services;
  const reason = body.reason.trim();
  if (state === "declined" && reason === "") throw new Failure("payout-reason-missing");
  const decision = { actorId: caller.id, reason, at: now() };
  const payout = await storage.write.commissions.decide(id, state, decision);
  if (!payout) throw new Failure("payout-decided");
  const user = { id: payout.userId, username: accounts.users.find(payout.userId)?.username ?? "" };
  await audit(services, context, `payout.${state}`, id, { quota: payout.amount, reason }, user);
  return undefined;
};

/** Invitations and their rewards; beyond the contract. */
export const invitationRoutes = [
  implement(getInvitation, async ({ services: { storage, options }, caller }) => {
    const rule = readCommissionRule(options);
    return {
      ...(await storage.read.commissions.summary(caller.id)),
      basis_points: rule?.basisPoints ?? 0,
      is_of_each: rule?.isOfEach ?? false,
      ...(rule ? { sources: [...sourcesOf(rule)] } : {}),
      minimum: options.number("CommissionMinimum"),
    };
  }),

  implement(listInvited, async ({ services, caller, query }) => {
    const { commissions } = services.storage.read;
    const invited = await commissions.invited(caller.id, ...readListPage(query, INVITED_SORTS));
    return invited.map(({ id, username, createdAt, earned }) => ({
      id,
      name: maskName(username),
      created_time: createdAt,
      earned,
    }));
  }),

  implement(listOwnPayouts, async ({ services, caller, query }) => {
    const { commissions } = services.storage.read;
    const own = await commissions.payouts({ userId: caller.id }, ...readListPage(query, OWN_PAYOUT_SORTS));
    return own.map((payout) => encodePayout({ ...payout, actorName: "" }));
  }),

  implement(transferCommission, ({ services, caller, body: { quota } }) => {
    checkMinimum(services, quota);
    return moved(services.accounts.users.transferCommission(caller.id, quota));
  }),

  implement(askPayout, ({ services, caller, body: { quota, note } }) => {
    checkMinimum(services, quota);
    const { storage, now } = services;
    return moved(storage.write.commissions.ask(caller.id, quota, note.trim(), now()));
  }),

  implement(listPayouts, async ({ services, query }) => {
    const state = readMaybeChoice(PAYOUT_STATES, query.state);
    const { commissions } = services.storage.read;
    return (await commissions.payouts({ state }, ...readListPage(query, PAYOUT_SORTS))).map(encodePayout);
  }),

  implement(markPayoutPaid, (context) => decide(context, context.params.id, "paid")),

  implement(declinePayout, (context) => decide(context, context.params.id, "declined")),

  implement(listCommissions, async ({ services, query }) => {
    const { commissions } = services.storage.read;
    const found = await commissions.commissions(...readListPage(query, COMMISSION_SORTS));
    return found.map(
      (each): CommissionWire => ({
        id: each.id,
        inviter_id: each.inviterId,
        inviter: each.inviter,
        user_id: each.userId,
        username: each.username,
        // The console knows no order of a redeemed code.
        order_id: Math.max(0, each.orderId),
        is_of_code: each.orderId < 0,
        base: each.base,
        basis_points: each.basisPoints,
        amount: each.amount,
        taken_back: each.takenBack,
        missing: each.missing,
        created_time: each.createdAt,
      }),
    );
  }),
];
