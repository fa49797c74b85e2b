import { ROLE_ROOT } from "@tollgate/contract/values/roles";
import type { Remote } from "@tollgate/storage/client";
import type { Reads } from "@tollgate/storage/storage";
import type { Logger } from "pino";
import type { Options } from "../state/options";
import { fillHtml, type Mailer } from "./mailer";

/** Mails that the gateway sends by itself. A mail that cannot be sent is only written to the log. */
export interface Notices {
  /** A user's balance has fallen below the option QuotaRemindThreshold, or is used up. */
  quotaLow(userId: number, quota: number): void;
  /** A channel was switched off because of its upstream. */
  channelDisabled(channel: { id: number; name: string }, reason: string): void;
}

export const createNotices = (
  read: Remote<Reads>,
  options: Options,
  mailer: Mailer,
  logger: Logger,
): Notices => {
  const send = async (find: () => Promise<string>, subject: string, html: string): Promise<void> => {
    try {
      if (options.text("SMTPServer") === "") return;
      const to = await find();
      if (to !== "") await mailer.send({ to, subject, html });
    } catch (error) {
      logger.warn({ error: String(error), subject }, "a notice could not be mailed");
    }
  };
  return {
    quotaLow(userId, quota) {
      const link = `${options.serverAddress()}/topup`;
      const subject = quota <= 0 ? "您的额度已用尽" : "您的额度即将用尽";
      const html = fillHtml(
        '<p>{subject}，当前剩余额度为 {quota}，为了不影响您的使用，请及时充值。</p><p>充值链接：<a href="{link}">{link}</a></p>',
        { subject, quota: String(quota), link },
      );
      void send(async () => (await read.users.find(userId))?.email ?? "", subject, html);
    },
    channelDisabled(channel, reason) {
      const subject = `通道「${channel.name}」（#${channel.id}）已被禁用`;
      const html = fillHtml("<p>通道「{name}」（#{id}）已被禁用，原因：{reason}</p>", {
        name: channel.name,
        id: String(channel.id),
        reason,
      });
      void send(async () => (await read.users.findByRole(ROLE_ROOT))?.email ?? "", subject, html);
    },
  };
};
