import { alipay } from "./alipay";
import { epay } from "./epay";
import { stripe } from "./stripe";
import { wechatPay } from "./wechat-pay";

/** The providers of payments, in the order in which they are offered. */
export const PAYMENT_PROVIDERS = [stripe, epay, alipay, wechatPay] as const;

export type PaymentProvider = (typeof PAYMENT_PROVIDERS)[number];
export type PaymentProviderName = PaymentProvider["name"];

export const isProviderName = (text: string): text is PaymentProviderName =>
  PAYMENT_PROVIDERS.some(({ name }) => name === text);
