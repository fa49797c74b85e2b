import type { SignInMethod } from "@tollgate/contract/sign-in/methods";
import { ROLE_ROOT } from "@tollgate/contract/values/roles";
import type { IncidentReason } from "@tollgate/relay/ports";
import type { AccountQueries } from "@tollgate/storage/accounts/ports";
import type { Logger } from "pino";
import { PEOPLES_LANGUAGE, PROGRAMS_LANGUAGE } from "../locales/languages";
import type { MailTemplate } from "../locales/mail-templates";
import { sayAccountChange } from "../locales/say-account-change";
import { sayReason } from "../locales/say-log";
import { sayMail } from "../locales/say-mail";
import type { Options } from "../state/options";
import type { Mailer } from "./mailer";

/** Mails that the gateway sends by itself. A mail that cannot be sent is only written to the log. */
export interface Notices {
  /** A user's balance has fallen below the option QuotaRemindThreshold, or is used up. */
  quotaLow(userId: number, quota: number): void;
  /**
   * Somebody can sign in to an account otherwise than before.
   * @param before the account with the address that it had: its owner is told there.
   * @param what was changed: the account of a method was bound, for example.
   */
  accountChanged(
    before: { username: string; email: string },
    what: "password" | "email" | SignInMethod,
  ): void;
  /** A channel was switched off because of its upstream. */
  channelDisabled(channel: { id: number; name: string }, reason: IncidentReason): void;
  /** One of a channel's keys was taken out of use; the others go on. */
  keyDisabled(channel: { id: number; name: string }, reason: IncidentReason): void;
  /** What was switched off works again. */
  channelEnabled(channel: { id: number; name: string }): void;
}

export const createNotices = (
  read: Pick<AccountQueries, "users">,
  options: Options,
  mailer: Mailer,
  logger: Logger,
): Notices => {
  const send = async (find: () => Promise<string>, { subject, html }: MailTemplate): Promise<void> => {
    try {
      if (options.text("SMTPServer") === "") return;
      const to = await find();
      if (to !== "") await mailer.send({ to, subject, html });
    } catch (error) {
      logger.warn({ error: String(error), subject }, "a notice could not be mailed");
    }
  };
  const tellRoot = (
    key: "channel-disabled" | "key-disabled" | "channel-enabled",
    { id, name }: { id: number; name: string },
    reason: IncidentReason = "",
  ): void => {
    const values = { id: String(id), name, reason: sayReason(PEOPLES_LANGUAGE, reason) };
    const mail = sayMail(PEOPLES_LANGUAGE, key, values);
    void send(async () => (await read.users.findByRole(ROLE_ROOT))?.email ?? "", mail);
  };
  return {
    quotaLow(userId, quota) {
      const link = `${options.serverAddress()}/topup`;
      const values = { quota: String(quota), link };
      const mail = sayMail(PEOPLES_LANGUAGE, quota <= 0 ? "quota-used-up" : "quota-low", values);
      void send(async () => (await read.users.find(userId))?.email ?? "", mail);
    },
    accountChanged({ username, email }, what) {
      const systemName = options.text("SystemName");
      // Whoever made the change may be somebody else: it says nothing of the language of who is told.
      const mails = [PEOPLES_LANGUAGE, PROGRAMS_LANGUAGE].map((language) => {
        const change = sayAccountChange(language, what);
        return sayMail(language, "account-changed", { systemName, username, change });
      });
      const subject = mails.map((mail) => mail.subject).join(" / ");
      void send(async () => email, { subject, html: mails.map(({ html }) => html).join("") });
    },
    channelDisabled: (channel, reason) => tellRoot("channel-disabled", channel, reason),
    keyDisabled: (channel, reason) => tellRoot("key-disabled", channel, reason),
    channelEnabled: (channel) => tellRoot("channel-enabled", channel),
  };
};
