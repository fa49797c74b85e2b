import type { Delivery } from "./deliver";
import type { NoticeWayName } from "./notice-ways";
import { barkDelivery } from "./ways/bark";
import { dingtalkDelivery } from "./ways/dingtalk";
import { feishuDelivery } from "./ways/feishu";
import { gotifyDelivery } from "./ways/gotify";
import { telegramDelivery } from "./ways/telegram";
import { webhookDelivery } from "./ways/webhook";
import { wecomDelivery } from "./ways/wecom";

/** What the server makes of messages; the console does not load it. Mail goes over the site's own server. */
export const DELIVERIES: Readonly<Record<Exclude<NoticeWayName, "email">, Delivery<NoticeWayName, string>>> =
  {
    webhook: webhookDelivery,
    telegram: telegramDelivery,
    bark: barkDelivery,
    gotify: gotifyDelivery,
    wecom: wecomDelivery,
    dingtalk: dingtalkDelivery,
    feishu: feishuDelivery,
  };
