import { signEPay } from "@tollgate/demo/simulated-cashier";
import {
  type CallbackFields,
  cut,
  type FakeKind,
  type FakeProvider,
  fen,
  newProviderOrder,
  type ProviderOrder,
  type SentCallback,
  startFakeProvider,
  yuan,
} from "./fake-provider";

const MERCHANT = "1001";
const KEY = "fake-epay-key-0123456789";

const callback = (order: ProviderOrder, says: CallbackFields, method: "GET" | "POST"): SentCallback => {
  const fields: Record<string, string> = {
    pid: says.merchant ?? MERCHANT,
    trade_no: says.payment ?? order.payment,
    out_trade_no: says.number ?? order.number,
    type: "alipay",
    name: "Quota",
    money: yuan(says.amount ?? order.amount),
    trade_status: says.event === undefined || says.event === "paid" ? "TRADE_SUCCESS" : "TRADE_CLOSED",
    param: "",
  };
  const signature = signEPay(fields, says.isForged ? "another key" : KEY);
  const form = cut(
    new URLSearchParams({ ...fields, sign: signature, sign_type: "MD5" }).toString(),
    says.isTruncated,
  );
  return method === "GET"
    ? { method, query: `?${form}`, headers: {}, body: "" }
    : { method, query: "", headers: { "content-type": "application/x-www-form-urlencoded" }, body: form };
};

const kindOf = (method: "GET" | "POST"): FakeKind => ({
  options: (url) => ({
    EPayAddress: `${url}/`,
    EPayMerchantId: MERCHANT,
    EPayKey: KEY,
    EPayMethodsInPage: "wxpay",
  }),
  answer({ path, query, body }, { orders, url }) {
    if (path === "/submit.php" || path === "/mapi.php") {
      const fields = Object.fromEntries(path === "/mapi.php" ? new URLSearchParams(body) : query);
      if (fields.pid !== MERCHANT || fields.sign !== signEPay(fields, KEY))
        return { body: '{"code":-1,"msg":"sign"}' };
      const number = fields.out_trade_no ?? "";
      const order =
        orders.get(number) ??
        newProviderOrder(number, { amount: fen(fields.money), notifyUrl: fields.notify_url });
      orders.set(number, order);
      const said = {
        code: 1,
        trade_no: order.payment,
        qrcode: `weixin://wxpay/${number}`,
        payurl: `${url}/${number}`,
      };
      return { body: JSON.stringify(said), order };
    }
    if (path === "/api.php" && query.get("act") === "order") {
      const order = orders.get(query.get("out_trade_no") ?? "");
      if (!order || query.get("key") !== KEY) return { body: '{"code":-1,"msg":"no such order"}' };
      const said = {
        code: 1,
        pid: Number(MERCHANT),
        trade_no: order.payment,
        out_trade_no: order.number,
        money: yuan(order.amount),
        status: order.state === "paid" ? 1 : 0,
      };
      return { body: JSON.stringify(said), order };
    }
    return undefined;
  },
  callback: (order, says) => callback(order, says, method),
  refusal: { body: '{"code":-1,"msg":"not allowed"}' },
});

/** @param method with which it calls back. */
export const startFakeEPay = (method: "GET" | "POST" = "GET"): Promise<FakeProvider> =>
  startFakeProvider(kindOf(method));
