import { formatMinor, parseMinor } from "./currencies";
import {
  type CallbackReading,
  type PaymentTools,
  type ProviderEvent,
  type ProviderFault,
  paymentPortOf,
  readObject,
  refused,
  sortedPairs,
  textIn,
  unreachable,
  wordsOf,
} from "./payment-port";
import { definePaymentProvider } from "./payment-provider";

/** Alipay's payment face to face: a code of a prepared order (alipay.trade.precreate), signed with RSA2 both ways. */
export const alipay = definePaymentProvider({
  name: "alipay",
  title: "Alipay",
  currency: "CNY",
  switch: { option: "AlipayEnabled", needs: ["AlipayAppId", "AlipayPrivateKey", "AlipayPublicKey"] },
  options: {
    AlipayAppId: { type: "text" },
    AlipaySellerId: { type: "text", hasHint: true },
    AlipayPrivateKey: { type: "secret", hasHint: true },
    AlipayPublicKey: { type: "area", hasHint: true },
    AlipayGateway: { type: "url", hasHint: true, hasPlaceholder: true },
  },
  refunds: true,
});

type Tools = PaymentTools<keyof (typeof alipay)["options"] & string>;

const CURRENCY = "CNY";
const CHINA_MS = 8 * 3_600_000;

/** The time in China, as the gateway writes times. */
const chinaTime = (ms: number): string =>
  new Date(ms + CHINA_MS).toISOString().slice(0, 19).replace("T", " ");

/**
 * Returns the object of an answer as the gateway signed it: its bytes between `"<name>":` and the closing bracket.
 * @returns undefined when it is missing.
 */
const signedPart = (text: string, name: string): string | undefined => {
  const mark = `"${name}":`;
  const begin = text.indexOf(mark);
  if (begin < 0) return undefined;
  const start = begin + mark.length;
  let depth = 0;
  let isInText = false;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (isInText) {
      if (sign === "\\") at += 1;
      else if (sign === '"') isInText = false;
    } else if (sign === '"') isInText = true;
    else if (sign === "{") depth += 1;
    else if (sign === "}") {
      depth -= 1;
      if (depth === 0) return text.slice(start, at + 1);
    }
  }
  return undefined;
};

interface Said {
  kind: "answer";
  said: Readonly<Record<string, unknown>>;
  code: string;
}

/** @see https://opendocs.alipay.com/common/02kf5q */
const call = async (
  tools: Tools,
  method: string,
  content: Readonly<Record<string, string>>,
  notifyUrl = "",
): Promise<Said | ProviderFault> => {
  const { option, crypto, nowMs } = tools;
  const fields: Record<string, string> = {
    app_id: option("AlipayAppId"),
    method,
    format: "JSON",
    charset: "utf-8",
    sign_type: "RSA2",
    timestamp: chinaTime(nowMs),
    version: "1.0",
    biz_content: JSON.stringify(content),
    ...(notifyUrl === "" ? {} : { notify_url: notifyUrl }),
  };
  const signature = crypto.signRsa(option("AlipayPrivateKey"), sortedPairs(Object.entries(fields), ["sign"]));
  const answer = await tools.ask({
    method: "POST",
    url: option("AlipayGateway") || tools.address,
    headers: { "content-type": "application/x-www-form-urlencoded;charset=utf-8" },
    body: tools.writeForm({ ...fields, sign: signature }),
  });
  if (answer?.status !== 200) return unreachable(String(answer?.status ?? ""));
  const name = `${method.replaceAll(".", "_")}_response`;
  const part = signedPart(answer.text, name);
  const said = part === undefined ? undefined : readObject(part);
  const sign = textIn(readObject(answer.text), "sign");
  if (part === undefined || !said) {
    const refusal = readObject(signedPart(answer.text, "error_response") ?? "");
    // A page of something in between does not say whether the request was done.
    return refusal ? refused(textIn(refusal, "sub_code")) : unreachable("answer");
  }
  const code = textIn(said, "code");
  // Alipay does not sign refusals from before its check of the signature; they move nothing.
  if (sign === "" && code !== "10000") return faultOf({ kind: "answer", said, code });
  if (!crypto.verifyRsa(option("AlipayPublicKey"), [part], sign)) return unreachable("signature");
  return { kind: "answer", said, code };
};

const faultOf = ({ code, said }: Said): ProviderFault => {
  const detail = `${code} ${textIn(said, "sub_code")}`.trim();
  return code === "20000" || textIn(said, "sub_code") === "ACQ.SYSTEM_ERROR"
    ? unreachable(detail)
    : refused(detail);
};

const PAID = ["TRADE_SUCCESS", "TRADE_FINISHED"];

/** Meaning of a trade's state, in a callback and in an answer alike. */
const eventOf = (
  number: string,
  state: string,
  amount: number | undefined,
  refundedTotal: number | undefined,
  payment: string,
  words: ProviderEvent["words"],
): ProviderEvent | "waiting" => {
  if (refundedTotal !== undefined && refundedTotal > 0)
    return { kind: "refunded", number, payment, total: refundedTotal, currency: CURRENCY, words };
  if (PAID.includes(state))
    return { kind: "paid", number, amount: amount ?? -1, currency: CURRENCY, payment, words };
  return state === "TRADE_CLOSED" ? { kind: "expired", number, words } : "waiting";
};

const isTheirs = (field: (name: string) => string, { option }: Tools): boolean => {
  const seller = option("AlipaySellerId");
  return field("app_id") === option("AlipayAppId") && (seller === "" || field("seller_id") === seller);
};

const WRONG: CallbackReading = { kind: "refused", fault: "signature-wrong" };

/**
 * @see https://opendocs.alipay.com/open/02ekfg (precreate)
 * @see https://opendocs.alipay.com/open/02ivbs (callbacks)
 */
export const alipayPort = paymentPortOf(alipay, {
  address: { variable: "ALIPAY_URL", standard: "https://openapi.alipay.com/gateway.do" },
  async begin(order, tools) {
    const answer = await call(
      tools,
      "alipay.trade.precreate",
      {
        out_trade_no: order.number,
        total_amount: formatMinor(order.amount, CURRENCY),
        subject: order.subject,
        time_expire: chinaTime(order.expiresAt * 1000),
        ...(tools.option("AlipaySellerId") === "" ? {} : { seller_id: tools.option("AlipaySellerId") }),
      },
      order.notifyUrl,
    );
    if (answer.kind === "fault") return answer;
    const content = textIn(answer.said, "qr_code");
    if (answer.code !== "10000" || content === "") return faultOf(answer);
    return { kind: "qr", content, checkout: "" };
  },

  read(callback, tools) {
    const fields = tools.readForm(callback.text);
    const field = (name: string): string => fields.get(name) ?? "";
    if (field("sign_type") !== "RSA2" || field("sign") === "") return WRONG;
    const signed = sortedPairs(fields, ["sign", "sign_type"]);
    if (!tools.crypto.verifyRsa(tools.option("AlipayPublicKey"), [signed], field("sign"))) return WRONG;
    if (!isTheirs(field, tools)) return { kind: "refused", fault: "other-merchant" };
    const amount = parseMinor(field("total_amount"), CURRENCY);
    const back = field("refund_fee") === "" ? 0 : parseMinor(field("refund_fee"), CURRENCY);
    if (amount === undefined || back === undefined || field("out_trade_no") === "")
      return { kind: "refused", fault: "unreadable" };
    const event = eventOf(
      field("out_trade_no"),
      field("trade_status"),
      amount,
      back,
      field("trade_no"),
      wordsOf({
        notify_id: field("notify_id"),
        trade_no: field("trade_no"),
        trade_status: field("trade_status"),
        total_amount: field("total_amount"),
        refund_fee: field("refund_fee"),
      }),
    );
    return event === "waiting" ? { kind: "ignored" } : event;
  },

  answers: {
    taken: { status: 200, type: "text/plain", body: "success" },
    refused: { status: 400, type: "text/plain", body: "fail" },
  },

  async find(order, tools) {
    const answer = await call(tools, "alipay.trade.query", { out_trade_no: order.number });
    if (answer.kind === "fault") return answer;
    const { said, code } = answer;
    // Until a person has scanned the code there is no trade.
    if (textIn(said, "sub_code") === "ACQ.TRADE_NOT_EXIST") return "waiting";
    if (code !== "10000") return faultOf(answer);
    if (textIn(said, "out_trade_no") !== order.number) return unreachable("another order");
    const amount = parseMinor(textIn(said, "total_amount"), CURRENCY);
    return eventOf(
      order.number,
      textIn(said, "trade_status"),
      amount,
      undefined,
      textIn(said, "trade_no"),
      wordsOf({ trade_no: said.trade_no, trade_status: said.trade_status, total_amount: said.total_amount }),
    );
  },

  async refund(order, tools) {
    const answer = await call(tools, "alipay.trade.refund", {
      out_trade_no: order.number,
      refund_amount: formatMinor(order.refundAmount, CURRENCY),
      out_request_no: order.refund,
    });
    if (answer.kind === "fault") return answer;
    if (answer.code !== "10000") return faultOf(answer);
    // "N": this call moved nothing, since it was asked before, or the money is still on its way.
    if (textIn(answer.said, "fund_change") !== "N") return "done";
    const asked = await call(tools, "alipay.trade.fastpay.refund.query", {
      out_trade_no: order.number,
      out_request_no: order.refund,
    });
    if (asked.kind === "fault") return unreachable(asked.detail);
    return textIn(asked.said, "refund_status") === "REFUND_SUCCESS"
      ? "done"
      : unreachable(`refund ${textIn(asked.said, "refund_status") || asked.code}`);
  },
});
