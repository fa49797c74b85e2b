import { createCipheriv } from "node:crypto";
import {
  type CallbackFields,
  cut,
  type FakeAnswer,
  type FakeKind,
  type FakeProvider,
  newProviderOrder,
  type ProviderOrder,
  type SentCallback,
  startFakeProvider,
} from "./fake-provider";
import { paymentKeys, privatePem, publicPem, signWith } from "./key-pairs";

const APP = "wx0000000000000001";
const MERCHANT = "1900000001";
const API_KEY = "fake-wechat-pay-api-v3-key-12345";
const KEY_ID = "PUB_KEY_ID_0119000000012024";
const NONCE = "abcdefghijkl";

const seal = (content: object): object => {
  const cipher = createCipheriv("aes-256-gcm", API_KEY, NONCE);
  cipher.setAAD(Buffer.from("transaction"));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final(), cipher.getAuthTag()]);
  return {
    algorithm: "AEAD_AES_256_GCM",
    original_type: "transaction",
    ciphertext: sealed.toString("base64"),
    nonce: NONCE,
    associated_data: "transaction",
  };
};

const headersFor = (body: string, atMs: number, isForged = false): Record<string, string> => {
  const { platform, stranger } = paymentKeys();
  const time = String(Math.floor(atMs / 1000));
  return {
    "content-type": "application/json",
    "wechatpay-timestamp": time,
    "wechatpay-nonce": NONCE,
    "wechatpay-serial": KEY_ID,
    "wechatpay-signature": signWith(isForged ? stranger : platform, `${time}\n${NONCE}\n${body}\n`),
  };
};

const STATES = { open: "NOTPAY", paid: "SUCCESS", expired: "CLOSED", failed: "PAYERROR" } as const;

const transactionOf = (
  order: ProviderOrder,
  state: string = STATES[order.state],
  says: CallbackFields = {},
): object => ({
  appid: APP,
  mchid: says.merchant ?? MERCHANT,
  out_trade_no: says.number ?? order.number,
  ...(state === "SUCCESS" ? { transaction_id: says.payment ?? order.payment } : {}),
  trade_type: "NATIVE",
  trade_state: state,
  amount: {
    total: says.amount ?? order.amount,
    currency: says.currency ?? order.currency,
    payer_total: order.amount,
  },
});

const callback = (order: ProviderOrder, says: CallbackFields): SentCallback => {
  const hasFailed = says.event === "refund-failed";
  const isRefund = says.event === "refunded" || says.event === "disputed" || hasFailed;
  const event = says.event === "failed" || says.event === "expired" ? says.event : "paid";
  const content = isRefund
    ? {
        mchid: says.merchant ?? MERCHANT,
        out_trade_no: says.number ?? order.number,
        transaction_id: order.payment,
        out_refund_no: says.refund?.reference ?? "by-merchant",
        refund_id: `50000${order.number}`,
        refund_status: hasFailed ? "ABNORMAL" : "SUCCESS",
        amount: { total: order.amount, refund: says.refund?.amount ?? order.amount },
      }
    : transactionOf(order, STATES[event], says);
  const body = JSON.stringify({
    id: `EV-${order.number}`,
    event_type:
      says.event === "nothing"
        ? "SCORE.SUCCESS"
        : isRefund
          ? `REFUND.${hasFailed ? "ABNORMAL" : "SUCCESS"}`
          : "TRANSACTION.SUCCESS",
    resource_type: "encrypt-resource",
    resource: seal(content),
  });
  return {
    method: "POST",
    query: "",
    headers: headersFor(body, says.atMs ?? Date.now(), says.isForged),
    body: cut(body, says.isTruncated),
  };
};

const signed = (said: object, order?: ProviderOrder): FakeAnswer => {
  const body = JSON.stringify(said);
  return { body, headers: headersFor(body, Date.now()), ...(order ? { order } : {}) };
};

const KIND: FakeKind = {
  options: () => ({
    WeChatPayAppId: APP,
    WeChatPayMerchantId: MERCHANT,
    WeChatPayCertificateSerial: "5157F09EFDC096DE15EBE81A47057A72",
    WeChatPayPrivateKey: privatePem(paymentKeys().merchant),
    WeChatPayApiKey: API_KEY,
    WeChatPayPublicKeyId: KEY_ID,
    WeChatPayPublicKey: publicPem(paymentKeys().platform),
  }),
  answer({ method, path, body }, { orders }) {
    if (method === "POST" && path === "/v3/pay/transactions/native") {
      const asked = JSON.parse(body);
      const order = newProviderOrder(asked.out_trade_no, {
        amount: asked.amount.total,
        currency: asked.amount.currency,
        notifyUrl: asked.notify_url,
      });
      orders.set(order.number, order);
      return signed({ code_url: `weixin://wxpay/bizpayurl?pr=${order.number}` }, order);
    }
    const number = /^\/v3\/pay\/transactions\/out-trade-no\/(\w+)$/.exec(path)?.[1];
    if (method === "GET" && number !== undefined) {
      const order = orders.get(number);
      return order
        ? signed(transactionOf(order), order)
        : { status: 404, body: '{"code":"ORDER_NOT_EXIST","message":"no such order"}' };
    }
    if (method === "POST" && path === "/v3/refund/domestic/refunds") {
      const asked = JSON.parse(body);
      const order = orders.get(asked.out_trade_no);
      if (!order) return { status: 404, body: '{"code":"RESOURCE_NOT_EXISTS"}' };
      order.refunds.set(asked.out_refund_no, asked.amount.refund);
      return signed({ refund_id: "50000", status: "PROCESSING" }, order);
    }
    return undefined;
  },
  callback,
  refusal: { status: 403, body: '{"code":"NO_AUTH","message":"no right"}' },
};

export const startFakeWeChatPay = (): Promise<FakeProvider> => startFakeProvider(KIND);
