import { ROLE_ROOT } from "@tollgate/contract/values/roles";
import type { Remote } from "@tollgate/storage/client";
import type { Reads } from "@tollgate/storage/storage";
import type { Logger } from "pino";
import type { Options } from "../state/options";
import { fillHtml, type Mailer } from "./mailer";

/** What of an account was changed, in the words of the mail that tells its owner. */
const ACCOUNT_CHANGES = {
  password: { zh: "密码已修改", en: "its password was changed" },
  email: { zh: "绑定的邮箱地址已更换", en: "it was bound to another e-mail address" },
  github: { zh: "已绑定 GitHub 账户", en: "a GitHub account was bound to it" },
  wechat: { zh: "已绑定微信账号", en: "a WeChat account was bound to it" },
} as const;

/** Mails that the gateway sends by itself. A mail that cannot be sent is only written to the log. */
export interface Notices {
  /** A user's balance has fallen below the option QuotaRemindThreshold, or is used up. */
  quotaLow(userId: number, quota: number): void;
  /**
   * Somebody can sign in to an account otherwise than before.
   * @param before the account with the address that it had: its owner is told there.
   */
  accountChanged(before: { username: string; email: string }, what: keyof typeof ACCOUNT_CHANGES): void;
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
    accountChanged({ username, email }, what) {
      const systemName = options.text("SystemName");
      const { zh, en } = ACCOUNT_CHANGES[what];
      const html = fillHtml(
        "<p>您好，您在{systemName}的账户 {username} {zh}。如果不是您本人操作，请立即联系管理员。</p><p>Your account {username} at {systemName} has changed: {en}. If that was not you, contact the administrator at once.</p>",
        { systemName, username, zh, en },
      );
      void send(async () => email, `${systemName}账户变更提醒 / Your account was changed`, html);
    },
    channelDisabled: (channel, reason) => tellRoot(channel, "已被禁用", reason),
    keyDisabled: (channel, reason) => tellRoot(channel, "有一个密钥已失效并停用", reason),
    channelEnabled: (channel) => tellRoot(channel, "已恢复启用"),
  };
};
