import { createVerify } from "node:crypto";
import {
  type CallbackFields,
  cut,
  type FakeAnswer,
  type FakeKind,
  type FakeProvider,
  fen,
  newProviderOrder,
  type ProviderOrder,
  type SentCallback,
  startFakeProvider,
  totalBack,
  yuan,
} from "./fake-provider";
import { paymentKeys, publicPem, signWith } from "./key-pairs";

const APP = "2021000000000001";
const SELLER = "2088000000000001";

const pairs = (fields: Readonly<Record<string, string>>, without: readonly string[]): string =>
  Object.keys(fields)
    .filter((name) => !without.includes(name) && fields[name] !== "")
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join("&");

const STATES = {
  paid: "TRADE_SUCCESS",
  refunded: "TRADE_SUCCESS",
  "refund-failed": "TRADE_SUCCESS",
  "dispute-won": "TRADE_SUCCESS",
  "dispute-lost": "TRADE_SUCCESS",
  disputed: "TRADE_SUCCESS",
  expired: "TRADE_CLOSED",
  failed: "TRADE_CLOSED",
  nothing: "WAIT_BUYER_PAY",
} as const;

const callback = (order: ProviderOrder, says: CallbackFields): SentCallback => {
  const fields: Record<string, string> = {
    notify_id: `notify_${order.number}`,
    notify_type: "trade_status_sync",
    app_id: says.merchant ?? APP,
    seller_id: SELLER,
    out_trade_no: says.number ?? order.number,
    trade_no: says.payment ?? order.payment,
    trade_status: STATES[says.event ?? "paid"],
    total_amount: yuan(says.amount ?? order.amount),
    charset: "utf-8",
    version: "1.0",
    subject: "Quota & more",
    ...(says.event === "refunded"
      ? { refund_fee: yuan(says.refund?.amount ?? totalBack(order)), gmt_refund: "2026-01-01 00:00:00.1" }
      : {}),
  };
  const { platform, stranger } = paymentKeys();
  const sign = signWith(says.isForged ? stranger : platform, pairs(fields, ["sign", "sign_type"]));
  return {
    method: "POST",
    query: "",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: cut(new URLSearchParams({ ...fields, sign, sign_type: "RSA2" }).toString(), says.isTruncated),
  };
};

const answer = (method: string, said: object, order?: ProviderOrder): FakeAnswer => {
  const part = JSON.stringify(said);
  const sign = signWith(paymentKeys().platform, part);
  return {
    body: `{"${method.replaceAll(".", "_")}_response":${part},"sign":"${sign}"}`,
    ...(order ? { order } : {}),
  };
};

const isSigned = (fields: Readonly<Record<string, string>>): boolean =>
  createVerify("RSA-SHA256")
    .update(pairs(fields, ["sign"]))
    .verify(publicPem(paymentKeys().merchant), fields.sign ?? "", "base64");

const KIND: FakeKind = {
  options: (url) => ({
    AlipayAppId: APP,
    AlipaySellerId: SELLER,
    AlipayPrivateKey: paymentKeys().merchant.privateKey,
    AlipayPublicKey: publicPem(paymentKeys().platform),
    AlipayGateway: `${url}/gateway.do`,
  }),
  answer({ path, body }, { orders }) {
    const fields = Object.fromEntries(new URLSearchParams(body));
    const { method = "" } = fields;
    if (path !== "/gateway.do") return undefined;
    if (!isSigned(fields)) return answer(method, { code: "40002", sub_code: "isv.invalid-signature" });
    const content = JSON.parse(fields.biz_content ?? "{}");
    const number: string = content.out_trade_no;
    if (method === "alipay.trade.precreate") {
      const order = newProviderOrder(number, {
        amount: fen(content.total_amount),
        notifyUrl: fields.notify_url,
      });
      orders.set(number, order);
      const qr = `https://qr.alipay.com/${number}`;
      return answer(method, { code: "10000", msg: "Success", out_trade_no: number, qr_code: qr }, order);
    }
    const order = orders.get(number);
    if (!order || (method === "alipay.trade.query" && order.state === "open"))
      return answer(method, { code: "40004", sub_code: "ACQ.TRADE_NOT_EXIST" });
    if (method === "alipay.trade.fastpay.refund.query") {
      const isMade = order.refunds.has(content.out_request_no) && !order.failed.has(content.out_request_no);
      return answer(method, { code: "10000", ...(isMade ? { refund_status: "REFUND_SUCCESS" } : {}) }, order);
    }
    if (method === "alipay.trade.refund") {
      const change = order.refunds.has(content.out_request_no) ? "N" : "Y";
      order.refunds.set(content.out_request_no, fen(content.refund_amount));
      const fee = yuan(totalBack(order));
      return answer(method, { code: "10000", fund_change: change, refund_fee: fee }, order);
    }
    const said = {
      code: "10000",
      trade_no: order.payment,
      out_trade_no: number,
      trade_status: STATES[order.state === "open" ? "nothing" : order.state],
      total_amount: yuan(order.amount),
    };
    return answer(method, said, order);
  },
  callback,
  refusal: { body: '{"error_response":{"code":"40003","sub_code":"isv.insufficient-isv-permissions"}}' },
};

export const startFakeAlipay = (): Promise<FakeProvider> => startFakeProvider(KIND);
