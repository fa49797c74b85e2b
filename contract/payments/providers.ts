import { alipay } from "./alipay";
import { epay } from "./epay";
import { stripe } from "./stripe";
import { wechatPay } from "./wechat-pay";

/** The providers of payments, in the order in which they are offered. */
export const PAYMENT_PROVIDERS = [stripe, epay, alipay, wechatPay] as const;

export type PaymentProvider = (typeof PAYMENT_PROVIDERS)[number];
export type PaymentProviderName = PaymentProvider["name"];

const BY_NAME: ReadonlyMap<string, PaymentProvider> = new Map(
  PAYMENT_PROVIDERS.map((provider) => [provider.name, provider]),
);

export const isProviderName = (name: string): name is PaymentProviderName => BY_NAME.has(name);

/** A provider by its name; undefined for one that another version knows. */
export const providerOf = (name: string): PaymentProvider | undefined => BY_NAME.get(name);
