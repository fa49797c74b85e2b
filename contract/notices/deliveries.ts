import type { Delivery } from "./deliver";
import type { NoticeTargetName } from "./notice-targets";
import { barkDelivery } from "./targets/bark";
import { dingtalkDelivery } from "./targets/dingtalk";
import { feishuDelivery } from "./targets/feishu";
import { gotifyDelivery } from "./targets/gotify";
import { telegramDelivery } from "./targets/telegram";
import { webhookDelivery } from "./targets/webhook";
import { wecomDelivery } from "./targets/wecom";

/** Deliveries of the server; the console does not load them. Mail goes over the site's own server. */
export const DELIVERIES: Readonly<
  Record<Exclude<NoticeTargetName, "email">, Delivery<NoticeTargetName, string>>
> = {
  webhook: webhookDelivery,
  telegram: telegramDelivery,
  bark: barkDelivery,
  gotify: gotifyDelivery,
  wecom: wecomDelivery,
  dingtalk: dingtalkDelivery,
  feishu: feishuDelivery,
};
