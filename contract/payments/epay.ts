import { stripEnd } from "../values/strip-end";
import { formatMinor, parseMinor } from "./currencies";
import {
  type CheckoutOrder,
  type PaymentTools,
  paymentPortOf,
  readObject,
  refused,
  sortedPairs,
  textIn,
  unreachable,
  wordsOf,
} from "./payment-port";
import { definePaymentProvider } from "./payment-provider";

/** EPay (易支付): the protocol of many of China's aggregators, in its first version, which signs with MD5. */
export const epay = definePaymentProvider({
  name: "epay",
  title: "EPay",
  currency: "CNY",
  switch: { option: "EPayEnabled", needs: ["EPayAddress", "EPayMerchantId", "EPayKey"] },
  options: {
    EPayAddress: { type: "url", hasHint: true, hasPlaceholder: true },
    EPayMerchantId: { type: "text" },
    EPayKey: { type: "secret" },
    /** Which ways to pay buyers choose among. */
    EPayMethods: { type: "text", hasHint: true, hasPlaceholder: true },
    /** Those of them whose code is shown in the page (mapi.php) in place of the aggregator's page (submit.php). */
    EPayMethodsInPage: { type: "text", hasHint: true, hasPlaceholder: true },
  },
  methods: { option: "EPayMethods", default: "alipay,wxpay" },
  refunds: false,
});

type Tools = PaymentTools<keyof (typeof epay)["options"] & string>;

/** Fields that are not signed. */
const UNSIGNED = ["sign", "sign_type"];
const CURRENCY = "CNY";

const sign = (fields: Iterable<readonly [string, string]>, { crypto, option }: Tools): string =>
  crypto.md5(sortedPairs(fields, UNSIGNED) + option("EPayKey"));

const signedFields = (fields: Readonly<Record<string, string>>, tools: Tools): Record<string, string> => ({
  ...fields,
  sign: sign(Object.entries(fields), tools),
  sign_type: "MD5",
});

const baseOf = ({ option }: Tools): string => stripEnd(option("EPayAddress"), "/");

/**
 * The signed text joins its fields with signs that these may contain: a name with an "&" would sign the text behind it,
 * and the buyer, who sees the signature, could send it back as a callback that another order is paid. No other field is
 * a user's text.
 */
const nameOf = (subject: string): string => subject.replaceAll("&", "＆");

const checkoutFields = (order: CheckoutOrder, { option }: Tools): Record<string, string> => ({
  pid: option("EPayMerchantId"),
  type: order.method,
  out_trade_no: order.number,
  notify_url: order.notifyUrl,
  return_url: order.returnUrl,
  name: nameOf(order.subject),
  money: formatMinor(order.amount, CURRENCY),
});

const isInPage = ({ option }: Tools, method: string): boolean =>
  option("EPayMethodsInPage")
    .split(",")
    .some((name) => name.trim() === method);

export const epayPort = paymentPortOf(epay, {
  address: undefined,
  hasNoEnd: true,
  async begin(order, tools) {
    const base = baseOf(tools);
    const fields = checkoutFields(order, tools);
    if (!isInPage(tools, order.method)) {
      const query = tools.writeForm(signedFields(fields, tools));
      return { kind: "redirect", url: `${base}/submit.php?${query}`, checkout: "" };
    }
    const answer = await tools.ask({
      method: "POST",
      url: `${base}/mapi.php`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: tools.writeForm(signedFields({ ...fields, clientip: order.buyerAddress, device: "pc" }, tools)),
    });
    if (!answer || answer.status >= 500) return unreachable(answer ? String(answer.status) : "");
    const said = readObject(answer.text);
    if (textIn(said, "code") !== "1") return refused(textIn(said, "msg").slice(0, 200));
    const checkout = textIn(said, "trade_no");
    const code = textIn(said, "qrcode");
    if (code !== "") return { kind: "qr", content: code, checkout };
    const url = textIn(said, "payurl");
    return /^https?:\/\//.test(url) ? { kind: "redirect", url, checkout } : refused("no payurl");
  },

  read(callback, tools) {
    // Aggregators call with GET or with POST, whatever they were asked to.
    const fields = tools.readForm(callback.method === "GET" ? callback.query : callback.text);
    const field = (name: string): string => fields.get(name) ?? "";
    const type = field("sign_type") || "MD5";
    if (tools.option("EPayKey") === "" || type.toUpperCase() !== "MD5")
      return { kind: "refused", fault: "signature-wrong" };
    if (!tools.crypto.areEqual(field("sign").toLowerCase(), sign(fields, tools)))
      return { kind: "refused", fault: "signature-wrong" };
    if (field("pid") !== tools.option("EPayMerchantId")) return { kind: "refused", fault: "other-merchant" };
    // Anything else is about a payment that did not come.
    if (field("trade_status") !== "TRADE_SUCCESS") return { kind: "ignored" };
    const amount = parseMinor(field("money"), CURRENCY);
    if (amount === undefined || field("out_trade_no") === "" || field("trade_no") === "")
      return { kind: "refused", fault: "unreadable" };
    return {
      kind: "paid",
      number: field("out_trade_no"),
      amount,
      currency: CURRENCY,
      payment: field("trade_no"),
      words: wordsOf({ type: field("type"), trade_no: field("trade_no"), money: field("money") }),
    };
  },

  answers: {
    taken: { status: 200, type: "text/plain", body: "success" },
    refused: { status: 400, type: "text/plain", body: "fail" },
  },

  async find(order, tools) {
    const query = tools.writeForm({
      act: "order",
      pid: tools.option("EPayMerchantId"),
      key: tools.option("EPayKey"),
      out_trade_no: order.number,
    });
    const answer = await tools.ask({ method: "GET", url: `${baseOf(tools)}/api.php?${query}` });
    if (answer?.status !== 200) return unreachable(String(answer?.status ?? ""));
    const said = readObject(answer.text);
    if (!said) return unreachable("no JSON");
    // An order whose payment was not begun is not known there.
    if (textIn(said, "code") !== "1" || textIn(said, "status") !== "1") return "waiting";
    const amount = parseMinor(textIn(said, "money"), CURRENCY);
    const isTheirs =
      textIn(said, "out_trade_no") === order.number && textIn(said, "pid") === tools.option("EPayMerchantId");
    if (amount === undefined || !isTheirs || textIn(said, "trade_no") === "")
      return unreachable("another order");
    return {
      kind: "paid",
      number: order.number,
      amount,
      currency: CURRENCY,
      payment: textIn(said, "trade_no"),
      words: wordsOf({ type: said.type, trade_no: said.trade_no, money: said.money }),
    };
  },
});
