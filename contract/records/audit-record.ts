/** Audited actions of administrators, and of users on their keys: a subject, and behind the first point the operation. */
export const AUDIT_ACTIONS = [
  "announcement.create",
  "announcement.delete",
  "announcement.update",
  "body.clear",
  "body.read",
  "channel.balance",
  "channel.copy",
  "channel.create",
  "channel.delete",
  "channel.delete-disabled",
  "channel.test",
  "channel.update",
  "channel.upstream_prices",
  "configuration.export-secrets",
  "invoice.decline",
  "invoice.issue",
  "invoice.reverse",
  "log.clear",
  "management-key.create",
  "management-key.revoke",
  "notice.way.create",
  "notice.way.delete",
  "notice.way.update",
  "option.update",
  "order.complete",
  "order.refund",
  "order.settle-refund",
  "payout.declined",
  "payout.paid",
  "permission-set.create",
  "permission-set.delete",
  "permission-set.update",
  "plan.create",
  "plan.delete",
  "plan.update",
  "price-rule.create",
  "price-rule.delete",
  "price-rule.update",
  "prices.accept",
  "prices.discard",
  "prices.draft",
  "prices.draft-change",
  "prices.lock",
  "prices.publish",
  "prices.schedule",
  "prices.unlock",
  "prices.unschedule",
  "promotion.create",
  "promotion.delete",
  "promotion.update",
  "reconciliation.create",
  "reconciliation.delete",
  "reconciliation.top_up",
  "redemption.clear",
  "redemption.create",
  "redemption.delete",
  "redemption.update",
  "request.refund",
  "sign-in-provider.create",
  "sign-in-provider.delete",
  "sign-in-provider.refuse",
  "sign-in-provider.update",
  "subscription.end",
  "subscription.give",
  "terms.publish",
  "ticket.answer",
  "ticket.close",
  "ticket.note",
  "ticket.release",
  "ticket.take",
  "token.add-quota",
  "token.create",
  "token.delete",
  "token.disable",
  "token.enable",
  "token.end-former",
  "token.rotate",
  "token.update",
  "user.add-passkey",
  "user.confirm-second-factor",
  "user.create",
  "user.delete",
  "user.demote",
  "user.disable",
  "user.enable",
  "user.promote",
  "user.refuse-code",
  "user.refuse-passkey",
  "user.remove-passkey",
  "user.remove-second-factor",
  "user.renew-backup-codes",
  "user.reset-passkeys",
  "user.reset-second-factor",
  "user.sign-out",
  "user.unbind",
  "user.update",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

type SubjectOf<Action extends string> = Action extends `${infer Subject}.${string}` ? Subject : never;
export type AuditSubject = SubjectOf<AuditAction>;

const subjectOf = (action: AuditAction): AuditSubject => action.slice(0, action.indexOf(".")) as AuditSubject;

/** Subjects of actions: "channel", "user" … */
export const AUDIT_SUBJECTS: readonly AuditSubject[] = [...new Set(AUDIT_ACTIONS.map(subjectOf))];

/** Actions on API keys, which every user takes. */
export type KeyAction = Extract<AuditAction, `token.${string}`>;

/** Kept lines about the keys of one user: unlike administrators, any user can write them. */
export const MAX_KEY_CHANGES = 5000;

/** A change by an administrator, or of a key by its owner. Never holds a secret. */
export interface AuditRecord {
  /** Unix seconds. */
  createdAt: number;
  /** 0 for the gateway itself. */
  userId: number;
  username: string;
  address: string;
  action: AuditAction;
  target: string;
  /** The person whose account, money or price it concerns; undefined for none. */
  beneficiary?: { id: number; username: string } | undefined;
  /** JSON of the changes. */
  detail: string;
}
