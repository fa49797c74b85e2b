import { createAccessToken, randomAlphanumeric } from "@tollgate/accounts/random-text";
import type { User } from "@tollgate/accounts/users";
import { amountOf, type LogPhrase } from "@tollgate/contract/values/log-phrase";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { ROLE_USER } from "@tollgate/contract/values/roles";
import { LOG_SYSTEM } from "@tollgate/contract/values/statuses";
import { accountLog } from "@tollgate/storage/accounts/sqlite/outbox.repository";
import type { AccountEntry } from "@tollgate/storage/outbox/log-entry";
import { withConflicts } from "./account-rules";
import { hashPassword } from "./passwords";
import type { Services } from "./services";

/** A code that links to whoever invited. Eight characters, so that a collision needs not be thought of. */
export const createAffCode = (): string => randomAlphanumeric(8);

export interface Newcomer {
  username: string;
  /** undefined for who signs in with an external account only. */
  password: string | undefined;
  displayName: string;
  email?: string;
  githubId?: string;
  wechatId?: string;
  /** The inviter's code, "" when nobody invited. */
  affCode?: string;
}

/**
 * Creates an ordinary user with the grants of the options and their log lines (contract section 3.4). An unknown invite
 * code is ignored.
 * @throws Failure when a name, an address or an identity is taken.
 */
export const createUser = async (
  { accounts, storage, options, now }: Services,
  newcomer: Newcomer,
): Promise<User> => {
  const logs: AccountEntry[] = [];
  const inviter = await storage.read.users.findBy("aff_code", newcomer.affCode ?? "");
  const gift = options.number("QuotaForNewUser");
  const inviteeGift = inviter ? options.number("QuotaForInvitee") : 0;
  const inviterGift = inviter ? options.number("QuotaForInviter") : 0;
  type Gift = Extract<LogPhrase["code"], `${string}-gift`>;
  const note = (code: Gift, userId: number, username: string, quota: number): void => {
    if (quota <= 0) return;
    const amount = amountOf(quota, options.number("QuotaPerUnit"), options.isOn("DisplayInCurrencyEnabled"));
    logs.push(accountLog(LOG_SYSTEM, userId, username, { code, amount }, now()));
  };
  note("new-user-gift", 0, newcomer.username, gift);
  note("invitee-gift", 0, newcomer.username, inviteeGift);
  if (inviter) note("inviter-gift", inviter.id, inviter.username, inviterGift);
  return withConflicts(
    accounts.users.create(
      {
        username: newcomer.username,
        // Without a password nobody can sign in with one until it is set.
        passwordHash: await hashPassword(newcomer.password ?? randomAlphanumeric(40)),
        displayName: newcomer.displayName,
        role: ROLE_USER,
        quota: Math.min(gift + inviteeGift, MAX_QUOTA),
        group: "default",
        email: newcomer.email ?? "",
        githubId: newcomer.githubId ?? "",
        wechatId: newcomer.wechatId ?? "",
        affCode: createAffCode(),
        accessToken: createAccessToken(),
        createdTime: now(),
      },
      inviter && { inviterId: inviter.id, reward: inviterGift },
      logs,
    ),
  );
};
