import * as z from "zod/mini";
import {
  type Callback,
  type CallbackReading,
  type PaymentTools,
  type ProviderEvent,
  type ProviderFault,
  paymentPortOf,
  readObject,
  refused,
  textIn,
  unreachable,
  wordsOf,
} from "./payment-port";
import { definePaymentProvider } from "./payment-provider";

/** WeChat Pay's API v3, Native: a code that the buyer scans. */
export const wechatPay = definePaymentProvider({
  name: "wechat-pay",
  title: "WeChat Pay",
  currency: "CNY",
  switch: {
    option: "WeChatPayEnabled",
    needs: [
      "WeChatPayAppId",
      "WeChatPayMerchantId",
      "WeChatPayCertificateSerial",
      "WeChatPayPrivateKey",
      "WeChatPayApiKey",
      "WeChatPayPublicKeyId",
      "WeChatPayPublicKey",
    ],
  },
  options: {
    WeChatPayAppId: { type: "text" },
    WeChatPayMerchantId: { type: "text" },
    /** Of the merchant's own certificate. */
    WeChatPayCertificateSerial: { type: "text", hasHint: true },
    WeChatPayPrivateKey: { type: "secret", hasHint: true },
    /** The "APIv3 key" that opens the sealed part of a callback. */
    WeChatPayApiKey: { type: "secret", hasHint: true },
    /**
     * Value of the header Wechatpay-Serial: the id of the public key, or the serial number of a platform certificate.
     */
    WeChatPayPublicKeyId: { type: "text", hasHint: true },
    WeChatPayPublicKey: { type: "area", hasHint: true },
  },
  refunds: true,
});

type Tools = PaymentTools<keyof (typeof wechatPay)["options"] & string>;

const CURRENCY = "CNY";
/** How far the time of a callback may be away, in seconds, as WeChat Pay's documentation has it. */
const TOLERANCE_SECONDS = 300;

const sealedSchema = z.object({
  id: z.string(),
  event_type: z.string(),
  resource: z.object({
    algorithm: z.literal("AEAD_AES_256_GCM"),
    ciphertext: z.string(),
    nonce: z.string(),
    associated_data: z.optional(z.string()),
  }),
});

const transactionSchema = z.object({
  appid: z.optional(z.string()),
  mchid: z.string(),
  out_trade_no: z.string(),
  transaction_id: z.optional(z.string()),
  trade_state: z.string(),
  amount: z.optional(z.object({ total: z.optional(z.int()), currency: z.optional(z.string()) })),
});
type Transaction = z.infer<typeof transactionSchema>;

const refundSchema = z.object({
  mchid: z.string(),
  out_trade_no: z.string(),
  transaction_id: z.optional(z.string()),
  out_refund_no: z.string(),
  refund_id: z.string(),
  refund_status: z.string(),
  amount: z.object({ total: z.int(), refund: z.int() }),
});

const isVerified = (
  header: Callback["header"],
  content: string | Uint8Array,
  { crypto, option }: Tools,
): boolean => {
  const beginning = `${header("wechatpay-timestamp")}\n${header("wechatpay-nonce")}\n`;
  return (
    header("wechatpay-serial") === option("WeChatPayPublicKeyId") &&
    crypto.verifyRsa(option("WeChatPayPublicKey"), [beginning, content, "\n"], header("wechatpay-signature"))
  );
};

const eventOf = (transaction: Transaction): ProviderEvent | "waiting" => {
  const { out_trade_no: number, transaction_id: payment = "", trade_state: state, amount } = transaction;
  const words = wordsOf({ transaction_id: payment, trade_state: state, total: amount?.total });
  switch (state) {
    case "SUCCESS":
    // It was paid, and some of it went back: how much is told by callbacks of their own.
    case "REFUND":
      return {
        kind: "paid",
        number,
        amount: amount?.total ?? -1,
        currency: amount?.currency ?? CURRENCY,
        payment,
        words,
      };
    case "CLOSED":
    case "REVOKED":
      return { kind: "expired", number, words };
    case "PAYERROR":
      return { kind: "failed", number, words };
    default:
      return "waiting";
  }
};

/** @see https://pay.weixin.qq.com/doc/v3/merchant/4012365342 */
const authorization = (tools: Tools, method: string, path: string, body: string): string => {
  const { option, crypto, nowMs } = tools;
  const timestamp = String(Math.floor(nowMs / 1000));
  const nonce = crypto.nonce();
  const signature = crypto.signRsa(
    option("WeChatPayPrivateKey"),
    `${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`,
  );
  const fields = {
    mchid: option("WeChatPayMerchantId"),
    nonce_str: nonce,
    signature,
    timestamp,
    serial_no: option("WeChatPayCertificateSerial"),
  };
  const text = Object.entries(fields).map(([name, value]) => `${name}="${value}"`);
  return `WECHATPAY2-SHA256-RSA2048 ${text.join(",")}`;
};

interface Said {
  kind: "answer";
  status: number;
  said: Readonly<Record<string, unknown>>;
}

const call = async (
  tools: Tools,
  method: "GET" | "POST",
  path: string,
  content?: object,
): Promise<Said | ProviderFault> => {
  const body = content ? JSON.stringify(content) : "";
  const answer = await tools.ask({
    method,
    url: `${tools.address}${path}`,
    headers: {
      accept: "application/json",
      authorization: authorization(tools, method, path, body),
      // With which key answers and callbacks are to be signed.
      "wechatpay-serial": tools.option("WeChatPayPublicKeyId"),
      ...(content ? { "content-type": "application/json" } : {}),
    },
    ...(content ? { body } : {}),
  });
  if (!answer) return unreachable();
  const said = readObject(answer.text);
  const { status } = answer;
  if (status === 200) {
    if (!said || !isVerified(answer.header, answer.text, tools)) return unreachable("signature");
    return { kind: "answer", status, said };
  }
  const detail = `${status} ${textIn(said, "code")}`.trim();
  if (status === 404) return { kind: "answer", status, said: said ?? {} };
  return status === 429 || status >= 500 ? unreachable(detail) : refused(detail);
};

const refundEventOf = (event: string, refund: z.infer<typeof refundSchema>): CallbackReading => {
  const { out_trade_no: number, out_refund_no: own, refund_id: theirs, refund_status: status } = refund;
  const { refund: amount } = refund.amount;
  const told = {
    number,
    payment: refund.transaction_id ?? "",
    amount,
    currency: CURRENCY,
    words: wordsOf({ event, refund_id: theirs, out_refund_no: own, refund: amount }),
  };
  if (status === "SUCCESS") return { ...told, kind: "refunded-part", reference: own };
  // "ABNORMAL": the buyer's account takes nothing; WeChat reports a later transfer by the merchant as a success.
  return status === "CLOSED" || status === "ABNORMAL"
    ? { ...told, kind: "refund-failed", own, reference: theirs }
    : { kind: "ignored" };
};

/**
 * @see https://pay.weixin.qq.com/doc/v3/merchant/4012791877 (Native)
 * @see https://pay.weixin.qq.com/doc/v3/merchant/4012791861 (callbacks)
 */
export const wechatPayPort = paymentPortOf(wechatPay, {
  address: { variable: "WECHAT_PAY_URL", standard: "https://api.mch.weixin.qq.com" },
  async begin(order, tools) {
    const answer = await call(tools, "POST", "/v3/pay/transactions/native", {
      appid: tools.option("WeChatPayAppId"),
      mchid: tools.option("WeChatPayMerchantId"),
      description: order.subject,
      out_trade_no: order.number,
      time_expire: new Date(order.expiresAt * 1000).toISOString().replace(/\.\d+Z$/, "Z"),
      notify_url: order.notifyUrl,
      amount: { total: order.amount, currency: CURRENCY },
    });
    if (answer.kind === "fault") return answer;
    const content = textIn(answer.said, "code_url");
    return content === "" ? refused(`${answer.status} no code_url`) : { kind: "qr", content, checkout: "" };
  },

  read(callback, tools) {
    if (!isVerified(callback.header, callback.body, tools))
      return { kind: "refused", fault: "signature-wrong" };
    const seconds = Math.abs(tools.nowMs / 1000 - Number(callback.header("wechatpay-timestamp")));
    if (!(seconds <= TOLERANCE_SECONDS)) return { kind: "refused", fault: "too-old" };
    const sealed = sealedSchema.safeParse(readObject(callback.text));
    if (!sealed.success) return { kind: "refused", fault: "unreadable" };
    const { event_type: type, resource } = sealed.data;
    const opened = tools.crypto.openGcm({
      key: tools.option("WeChatPayApiKey"),
      nonce: resource.nonce,
      associatedData: resource.associated_data ?? "",
      ciphertext: resource.ciphertext,
    });
    const content = opened === undefined ? undefined : readObject(opened);
    if (!content) return { kind: "refused", fault: "unreadable" };
    const isTheirs = textIn(content, "mchid") === tools.option("WeChatPayMerchantId");
    if (type.startsWith("REFUND.")) {
      const read = refundSchema.safeParse(content);
      if (!read.success) return { kind: "refused", fault: "unreadable" };
      return isTheirs ? refundEventOf(type, read.data) : { kind: "refused", fault: "other-merchant" };
    }
    if (!type.startsWith("TRANSACTION.")) return { kind: "ignored" };
    const read = transactionSchema.safeParse(content);
    if (!read.success) return { kind: "refused", fault: "unreadable" };
    if (!isTheirs || read.data.appid !== tools.option("WeChatPayAppId"))
      return { kind: "refused", fault: "other-merchant" };
    const event = eventOf(read.data);
    return event === "waiting" ? { kind: "ignored" } : event;
  },

  answers: {
    taken: { status: 200, type: "application/json", body: '{"code":"SUCCESS","message":""}' },
    refused: { status: 400, type: "application/json", body: '{"code":"FAIL","message":"refused"}' },
  },

  async find(order, tools) {
    const merchant = tools.option("WeChatPayMerchantId");
    const path = `/v3/pay/transactions/out-trade-no/${order.number}?mchid=${encodeURIComponent(merchant)}`;
    const answer = await call(tools, "GET", path);
    if (answer.kind === "fault") return answer;
    if (answer.status === 404) return "waiting";
    const read = transactionSchema.safeParse(answer.said);
    if (!read.success || read.data.out_trade_no !== order.number || read.data.mchid !== merchant)
      return unreachable("another order");
    return eventOf(read.data);
  },

  async refund(order, tools) {
    const answer = await call(tools, "POST", "/v3/refund/domestic/refunds", {
      out_trade_no: order.number,
      out_refund_no: order.refund,
      // Without it, a refund that fails later is told only where the merchant's platform has an address.
      notify_url: order.notifyUrl,
      amount: { refund: order.refundAmount, total: order.amount, currency: CURRENCY },
    });
    if (answer.kind === "fault") return answer;
    const status = textIn(answer.said, "status");
    return answer.status === 404 || status === "CLOSED" || status === "ABNORMAL"
      ? refused(`${answer.status} ${status || textIn(answer.said, "code")}`)
      : "done";
  },
});
