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
  /** One of a channel's keys was taken out of use; the others go on. */
  keyDisabled(channel: { id: number; name: string }, reason: string): void;
  /** What was switched off works again. */
  channelEnabled(channel: { id: number; name: string }): void;
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
  const tellRoot = (channel: { id: number; name: string }, what: string, reason?: string): void => {
    const subject = `通道「${channel.name}」（#${channel.id}）${what}`;
    const html = fillHtml(reason === undefined ? "<p>{subject}</p>" : "<p>{subject}，原因：{reason}</p>", {
      subject,
      reason: reason ?? "",
    });
    void send(async () => (await read.users.findByRole(ROLE_ROOT))?.email ?? "", subject, html);
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
    channelDisabled: (channel, reason) => tellRoot(channel, "已被禁用", reason),
    keyDisabled: (channel, reason) => tellRoot(channel, "有一个密钥已失效并停用", reason),
    channelEnabled: (channel) => tellRoot(channel, "已恢复启用"),
  };
};
