import * as z from "zod/mini";
import { idNumber, textOrNone } from "../management/wire";
import { PAYOUT_STATES } from "../records/commission-record";
import { endpoint, PAGE_PARAMETER, SORT_PARAMETER } from "../resource/endpoint";
import { count, listOf, optional, plain } from "../resource/resource";

/*
 * Invitations: the invited users, the commissions they earned, and their payout. Beyond the contract.
 */

/** A user's invitations, and their earnings. */
const invitationWireSchema = z.object({
  /** How many users one invited. */
  invited: z.int(),
  /** Earned by their payments, less the part taken back. */
  earned: z.int(),
  /** Of their registrations, straight onto the balance. */
  gifts: z.int(),
  commission: z.int(),
  /** Asked for, and not decided. */
  payout: z.int(),
  /** Claimed back after refunds, but already spent: it is taken from the next earnings. */
  missing: z.int(),
  /** Hundredths of a percent of a payment; 0 for none. */
  basis_points: z.int(),
  is_of_each: z.boolean(),
  /** Payments that count (COMMISSION_SOURCES); absent where the server does not say. */
  sources: z.optional(z.array(z.string())),
  /** Less is not moved. */
  minimum: z.int(),
});
export type InvitationWire = z.infer<typeof invitationWireSchema>;

/** A user that one invited: its name is not told whole. */
const invitedWireSchema = z.object({
  id: z.int(),
  name: z.string(),
  created_time: z.int(),
  earned: z.int(),
});
export type InvitedWire = z.infer<typeof invitedWireSchema>;

const payoutWireSchema = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  amount: z.int(),
  /** `asked`, `paid` or `declined`. */
  state: z.string(),
  note: z.string(),
  created_time: z.int(),
  decided_time: z.int(),
  actor_name: z.string(),
  reason: z.string(),
  /** Commission that is still owed back by the requester, because payments behind it were refunded. */
  missing: z.int(),
});
export type PayoutWire = z.infer<typeof payoutWireSchema>;

const commissionWireSchema = z.object({
  id: z.int(),
  inviter_id: z.int(),
  inviter: z.string(),
  user_id: z.int(),
  username: z.string(),
  /** 0 for a redeemed code. */
  order_id: z.int(),
  is_of_code: z.optional(z.boolean()),
  base: z.int(),
  basis_points: z.int(),
  amount: z.int(),
  taken_back: z.int(),
  missing: z.int(),
  created_time: z.int(),
});
export type CommissionWire = z.infer<typeof commissionWireSchema>;

const MAX_TEXT = 500;
const shortText = z.pipe(textOrNone, z.string().check(z.maxLength(MAX_TEXT)));

const transferBodySchema = z.object({ quota: idNumber });
const askPayoutBodySchema = z.object({ quota: idNumber, note: shortText });
const decidePayoutBodySchema = z.object({ reason: shortText });

export const INVITED_SORTS = ["created_time", "earned"] as const;
export type InvitedSort = (typeof INVITED_SORTS)[number];

export const OWN_PAYOUT_SORTS = ["created_time", "state", "amount"] as const;

export const PAYOUT_SORTS = [...OWN_PAYOUT_SORTS, "username", "missing"] as const;
export type PayoutSort = (typeof PAYOUT_SORTS)[number];

export const COMMISSION_SORTS = [
  "created_time",
  "inviter",
  "username",
  "base",
  "basis_points",
  "amount",
  "taken_back",
] as const;
export type CommissionSort = (typeof COMMISSION_SORTS)[number];

export const getInvitation = endpoint({
  method: "GET",
  path: "/api/invitation/self",
  guard: "user",
  summary: "One's invitations and commission, and the rewards of invitations",
  data: optional(plain(invitationWireSchema)),
  reads: "invitations",
});

export const listInvited = endpoint({
  method: "GET",
  path: "/api/invitation/self/invited",
  guard: "user",
  summary: "A page of the users that one has invited, with shortened names, the newest first",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER },
  sorts: INVITED_SORTS,
  data: listOf(plain(invitedWireSchema)),
  reads: "invitations",
});

export const listOwnPayouts = endpoint({
  method: "GET",
  path: "/api/invitation/self/payouts",
  guard: "user",
  summary: "A page of one's payout requests, the newest first",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER },
  sorts: OWN_PAYOUT_SORTS,
  data: listOf(plain(payoutWireSchema)),
  reads: "invitations",
});

export const transferCommission = endpoint({
  method: "POST",
  path: "/api/invitation/self/transfer",
  guard: "user",
  summary: "Turns commission into balance; returns the amount",
  data: optional(count),
  body: transferBodySchema,
  changes: ["invitations", "users"],
});

export const askPayout = endpoint({
  method: "POST",
  path: "/api/invitation/self/payout",
  guard: "user",
  needsPresence: true,
  summary: "Requests a payout of commission, and sets the commission aside for it; returns the request's id",
  data: optional(count),
  body: askPayoutBodySchema,
  changes: ["invitations", "users"],
});

export const listPayouts = endpoint({
  method: "GET",
  path: "/api/invitation/payouts",
  guard: "admin",
  area: "balances",
  summary: "A page of payout requests, the newest first",
  query: {
    ...PAGE_PARAMETER,
    ...SORT_PARAMETER,
    state: `Only those in this state: ${PAYOUT_STATES.map((state) => `\`${state}\``).join(", ")}.`,
  },
  sorts: PAYOUT_SORTS,
  data: listOf(plain(payoutWireSchema)),
  reads: "invitations",
});

export const markPayoutPaid = endpoint({
  method: "POST",
  path: "/api/invitation/payouts/:id/paid",
  guard: "admin",
  needsPresence: true,
  area: "balances",
  summary: "Marks a payout request as paid by hand",
  body: decidePayoutBodySchema,
  changes: ["invitations"],
});

export const declinePayout = endpoint({
  method: "POST",
  path: "/api/invitation/payouts/:id/decline",
  guard: "admin",
  area: "balances",
  summary: "Declines a payout request with a reason, and returns the commission to the user",
  body: decidePayoutBodySchema,
  changes: ["invitations"],
});

export const listCommissions = endpoint({
  method: "GET",
  path: "/api/invitation/commissions",
  guard: "admin",
  area: "balances",
  summary: "A page of all users' commissions, the newest first",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER },
  sorts: COMMISSION_SORTS,
  data: listOf(plain(commissionWireSchema)),
  reads: "invitations",
});
