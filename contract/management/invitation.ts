import * as z from "zod/mini";
import { idNumber, looseList, textOrNone } from "./wire";

/*
 * Invitations: whom one invited, what that brought, and what becomes of it. Beyond the contract.
 */

/** What one has of invitations, and what they bring. */
export const invitationWireSchema = z.object({
  /** How many users one invited. */
  invited: z.int(),
  /** Of their payments, less what was taken back. */
  earned: z.int(),
  /** Of their registrations, straight onto the balance. */
  gifts: z.int(),
  commission: z.int(),
  /** Asked for, and not decided. */
  payout: z.int(),
  /** Asked back, because payments went back, and not there any more: it is taken of what comes next. */
  missing: z.int(),
  /** Hundredths of a percent of a payment; 0 for none. */
  basis_points: z.int(),
  is_of_each: z.boolean(),
  /** Less is not moved. */
  minimum: z.int(),
});
export type InvitationWire = z.infer<typeof invitationWireSchema>;

export const readInvitation = (value: unknown): InvitationWire | undefined => {
  const parsed = invitationWireSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
};

const listOf = <T extends z.ZodMiniType>(schema: T) =>
  looseList((value): z.infer<T> | undefined => {
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed.data : undefined;
  });

/** A user that one invited: its name is not told whole. */
export const invitedWireSchema = z.object({
  id: z.int(),
  name: z.string(),
  created_time: z.int(),
  earned: z.int(),
});
export type InvitedWire = z.infer<typeof invitedWireSchema>;
export const readInvited = listOf(invitedWireSchema);

export const payoutWireSchema = z.object({
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
  /** What is still asked back of whoever asks, because payments went back that brought them commissions. */
  missing: z.int(),
});
export type PayoutWire = z.infer<typeof payoutWireSchema>;
export const readPayouts = listOf(payoutWireSchema);

export const commissionWireSchema = z.object({
  id: z.int(),
  inviter_id: z.int(),
  inviter: z.string(),
  user_id: z.int(),
  username: z.string(),
  order_id: z.int(),
  base: z.int(),
  basis_points: z.int(),
  amount: z.int(),
  taken_back: z.int(),
  missing: z.int(),
  created_time: z.int(),
});
export type CommissionWire = z.infer<typeof commissionWireSchema>;
export const readCommissions = listOf(commissionWireSchema);

const TEXT_MAX = 500;
const shortText = z.pipe(textOrNone, z.string().check(z.maxLength(TEXT_MAX)));

export const transferBodySchema = z.object({ quota: idNumber });
export const askPayoutBodySchema = z.object({ quota: idNumber, note: shortText });
export const decidePayoutBodySchema = z.object({ reason: shortText });
