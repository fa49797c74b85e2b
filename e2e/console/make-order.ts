import { demand } from "@tollgate/demo/build-world";
import type { SignedIn } from "@tollgate/testkit/server-process";

/** Has a site sell quota over a merchant that is asked nothing before a payment. */
const SHOP = {
  EPayAddress: "http://127.0.0.1:9/",
  EPayMerchantId: "1001",
  EPayKey: "fake-epay-key-0123456789",
  EPayEnabled: "true",
  PaymentEnabled: "true",
};

/** Makes an open order of root's. @returns its number */
export const makeOrder = async (root: SignedIn, url: string): Promise<string> => {
  for (const [key, value] of Object.entries({ ServerAddress: url, ...SHOP }))
    await demand(root.api("PUT", "/api/option/", { key, value }));
  const body = { provider: "epay", method: "alipay", usd: "2" };
  return ((await demand(root.api("POST", "/api/order", body))) as { number: string }).number;
};
