import { alipayPort } from "./alipay";
import { epayPort } from "./epay";
import type { PaymentPort } from "./payment-port";
import type { PaymentProviderName } from "./providers";
import { stripePort } from "./stripe";
import { wechatPayPort } from "./wechat-pay";

/** Ports of the providers for the server; the console does not load them. */
export const PAYMENT_PORTS: Readonly<Record<PaymentProviderName, PaymentPort>> = {
  stripe: stripePort,
  epay: epayPort,
  alipay: alipayPort,
  "wechat-pay": wechatPayPort,
};

/** Where the services of the providers are, by the environment variables that say otherwise. */
export const PAYMENT_ADDRESSES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(PAYMENT_PORTS).flatMap(({ address }) =>
    address ? [[address.variable, address.standard]] : [],
  ),
);
