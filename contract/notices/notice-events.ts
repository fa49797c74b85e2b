/** Owner of an event's targets: the site, whose targets root sets, or the user that the event is about. */
export type NoticeAudience = "site" | "user";

/** Properties of an event. */
export interface NoticeEvent {
  audiences: readonly NoticeAudience[];
  /**
   * It goes on until it is over: an incident, told once however often it is raised meanwhile. Anything else happens, and is told
   * once for each subject.
   */
  lasts?: true;
  /** People are also told when it is over. */
  hasRecovery?: true;
  /** A user who has set no target at all is told by e-mail, as with one-api. */
  isMailed?: true;
}

/** Every event, in the order in which they are offered. Their texts stand in `notices.json` of each language. */
export const NOTICE_EVENTS = {
  /** A channel was switched off because of its upstream. Subject: its id. */
  "channel-disabled": { audiences: ["site"], lasts: true, hasRecovery: true, isMailed: true },
  /** A key of a channel was taken out of use; the channel's others go on. Subject: the channel's id. */
  "key-disabled": { audiences: ["site"], lasts: true, hasRecovery: true, isMailed: true },
  /** The balance behind a channel's key is low. Subject: the channel's id. */
  "upstream-balance-low": { audiences: ["site"], lasts: true },
  /** A user's balance fell below the user's or the site's threshold. Subject: the user's id. */
  "balance-low": { audiences: ["user"], lasts: true, isMailed: true },
  /** A user's balance is used up. Subject: the user's id. */
  "balance-used-up": { audiences: ["user"], lasts: true, isMailed: true },
  /** Half of a budget of a key or a user is used, four fifths, or all. Subject: the budget and its period. */
  "budget-half": { audiences: ["user"] },
  "budget-near": { audiences: ["user"] },
  "budget-used-up": { audiences: ["user"] },
  /** The extra quota beyond a used up budget is used up as well. Subject: the budget with it, and its period. */
  "budget-extra-used-up": { audiences: ["user"] },
  /** The same of a group. Subject: the budget, its period and the share. */
  "group-budget": { audiences: ["site"] },
  /** A key spends far more than in its past. Subject: its id. */
  "spending-unusual": { audiences: ["user", "site"], lasts: true, isMailed: true },
  /** The same, and the key was switched off. Subject: its id. */
  "key-frozen": { audiences: ["user", "site"], lasts: true, isMailed: true },
  /** A key spends on models that it never used in its last 30 days; the second, and the key was switched off. Subject: its id. */
  "models-unusual": { audiences: ["user", "site"], lasts: true, isMailed: true },
  "key-frozen-models": { audiences: ["user", "site"], lasts: true, isMailed: true },
  /** A key is used from networks that are new to it; the second, and the key was switched off. Subject: its id. */
  "networks-unusual": { audiences: ["user", "site"], lasts: true, isMailed: true },
  "key-frozen-networks": { audiences: ["user", "site"], lasts: true, isMailed: true },
  /** A plan ends in some days, has ended, was renewed or could not be. Subject: the subscription's id. */
  "plan-ending": { audiences: ["user"], isMailed: true },
  "plan-ended": { audiences: ["user"], isMailed: true },
  "plan-renewed": { audiences: ["user"], isMailed: true },
  "plan-renewal-failed": { audiences: ["user"], isMailed: true },
  /** A person has a new account. Subject: the user's id. */
  "user-created": { audiences: ["site"] },
  /** A user has paid, or redeemed a code. Subject: the permanent name of the payment. */
  "top-up": { audiences: ["site", "user"] },
  /** Money of a payment went back, or is claimed back. Subject: the order's number, and the refund's name. */
  "order-refunded": { audiences: ["site", "user"] },
  /** A refund that had been made did not arrive. Subject: the order's number, and the provider's name of the refund. */
  "refund-failed": { audiences: ["site", "user"], isMailed: true },
  /** A callback of a payment was refused. Subject: the provider, the fault, and the order's number or the day. */
  "payment-suspicious": { audiences: ["site"], isMailed: true },
  /** A user has applied for an invoice. Subject: the application's id. */
  "invoice-requested": { audiences: ["site"] },
  /** An application was decided. Subject: its id. */
  "invoice-issued": { audiences: ["user"], isMailed: true },
  "invoice-declined": { audiences: ["user"], isMailed: true },
  /** An issued invoice was reversed. Subject: the application's id. */
  "invoice-reversed": { audiences: ["user"], isMailed: true },
  /** Money of an invoiced order went back at the provider. Subject: the application's id, and the refund's name. */
  "invoice-to-reverse": { audiences: ["site"], isMailed: true },
  /** A ticket waits for support. Subject: its id, and the last entry of support. */
  "ticket-waiting": { audiences: ["site"] },
  /** Support answered a ticket. Subject: its id, the user's last entry, and the quarter of an hour. */
  "ticket-answered": { audiences: ["user"], isMailed: true },
  /** Support closed a ticket, or it was closed after silence. Subject: its id, and the time. */
  "ticket-closed": { audiences: ["user"], isMailed: true },
  /** No backup could be made. Subject: the folder of scheduled ones, "" of those of the command. */
  "backup-failed": { audiences: ["site"], lasts: true, hasRecovery: true, isMailed: true },
  /** Prices were taken over from a list. Subject: the version of the prices. */
  "prices-changed": { audiences: ["site"] },
  /**
   * Prices differ from a list that they are compared with, and a person has to look. Subject: the list and the
   * differences.
   */
  "prices-differ": { audiences: ["site"] },
  /** A channel's model costs more than it brings. Subject: the channel's id and the model. */
  "margin-negative": { audiences: ["site"], lasts: true, hasRecovery: true },
  /** A draft of prices could not be published at its time. Subject: its id and revision. */
  "price-draft-refused": { audiences: ["site"], isMailed: true },
  /** An upstream offers other models than before. Subject: the channel's id and the changes. */
  "models-changed": { audiences: ["site"] },
  /**
   * Answers of a channel name another model than was asked for. Subject: the channel's id, the model and the name in
   * the answer.
   */
  "other-model-served": { audiences: ["site"] },
} as const satisfies Record<string, NoticeEvent>;

export type NoticeEventName = keyof typeof NOTICE_EVENTS;

const EVENTS: Readonly<Record<NoticeEventName, NoticeEvent>> = NOTICE_EVENTS;

export const isNoticeEvent = (name: string): name is NoticeEventName => Object.hasOwn(NOTICE_EVENTS, name);

export const noticeEvent = (name: NoticeEventName): NoticeEvent => EVENTS[name];

/** The events that an audience can be told of, in their order. */
export const eventsFor = (audience: NoticeAudience): NoticeEventName[] =>
  Object.keys(NOTICE_EVENTS)
    .filter(isNoticeEvent)
    .filter((name) => EVENTS[name].audiences.includes(audience));

/** Phase of a message's event: it started, it is over, or a person tries the target. */
export type NoticePhase = "opened" | "recovered" | "test";
