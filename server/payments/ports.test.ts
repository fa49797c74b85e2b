import type { Callback, CheckoutOrder } from "@tollgate/contract/payments/payment-port";
import { PAYMENT_ADDRESSES, PAYMENT_PORTS } from "@tollgate/contract/payments/ports";
import { PAYMENT_PROVIDERS, type PaymentProviderName } from "@tollgate/contract/payments/providers";
import { startFakeAlipay } from "@tollgate/testkit/fake-payments/fake-alipay";
import { startFakeEPay } from "@tollgate/testkit/fake-payments/fake-epay";
import type { FakeProvider, SentCallback } from "@tollgate/testkit/fake-payments/fake-provider";
import { startFakeStripe } from "@tollgate/testkit/fake-payments/fake-stripe";
import { startFakeWeChatPay } from "@tollgate/testkit/fake-payments/fake-wechat-pay";
import { paymentKeys, privatePem, publicPem } from "@tollgate/testkit/fake-payments/key-pairs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { paymentCrypto } from "./payment-crypto";
import { paymentToolsFor } from "./payment-tools";

const NUMBER = "0123456789abcdef0123456789abcdef";
const OTHER = "f".repeat(32);

const order: CheckoutOrder = {
  number: NUMBER,
  amount: 1234,
  currency: "CNY",
  method: "alipay",
  subject: "Quota & more = 10",
  expiresAt: Math.floor(Date.now() / 1000) + 2100,
  notifyUrl: "https://gate.example.com/api/payment/x",
  returnUrl: "https://gate.example.com/order",
  buyerAddress: "192.0.2.7",
};
const REFUND = {
  ...{ refund: "r1", refundAmount: 1, isAgain: false },
  notifyUrl: "https://gate.example.com/api/payment/callback",
};
const atProvider = {
  number: NUMBER,
  amount: 1234,
  currency: "CNY",
  checkout: `cs_${NUMBER}`,
  payment: `pi_${NUMBER}`,
};

const received = ({ method, query, headers, body }: SentCallback): Callback => ({
  method,
  query: query.slice(1),
  body: Buffer.from(body),
  text: body,
  header: (name) => headers[name] ?? "",
});

const fakes: { name: PaymentProviderName; start: () => Promise<FakeProvider>; title: string }[] = [
  { name: "stripe", title: "Stripe", start: startFakeStripe },
  { name: "epay", title: "EPay with GET", start: () => startFakeEPay("GET") },
  { name: "epay", title: "EPay with POST", start: () => startFakeEPay("POST") },
  { name: "alipay", title: "Alipay", start: startFakeAlipay },
  { name: "wechat-pay", title: "WeChat Pay", start: startFakeWeChatPay },
];

describe.each(fakes)("$title", ({ name, start }) => {
  const port = PAYMENT_PORTS[name];
  let fake: FakeProvider;
  const toolsWith = (more: Record<string, string> = {}) =>
    paymentToolsFor(
      port,
      (key) => more[key] ?? fake.options[key] ?? "",
      Object.fromEntries(Object.keys(PAYMENT_ADDRESSES).map((variable) => [variable, fake.url])),
      Date.now(),
    );
  const read = (sent: SentCallback, more?: Record<string, string>) =>
    port.read(received(sent), toolsWith(more));
  beforeAll(async () => {
    fake = await start();
  });
  afterAll(() => fake.close());

  const known = () => fake.order(NUMBER, { amount: 1234, checkout: `cs_${NUMBER}`, payment: `pi_${NUMBER}` });

  it("begins an order with its number, amount, currency and callback address", async () => {
    const checkout = await port.begin(order, toolsWith());
    if (checkout.kind === "fault") throw new Error(checkout.detail);
    if (name === "epay") await fetch(checkout.kind === "redirect" ? checkout.url : "");
    expect(fake.orders.get(NUMBER)).toMatchObject({ amount: 1234, currency: "CNY", state: "open" });
    expect(checkout.kind).toBe(name === "stripe" || name === "epay" ? "redirect" : "qr");
  });

  it("is paid by a callback that says so, and by the provider when it is asked", async () => {
    const paid = { kind: "paid", number: NUMBER, amount: 1234, currency: "CNY", payment: `pi_${NUMBER}` };
    expect(read(fake.callback(known()))).toMatchObject(paid);
    fake.order(NUMBER, { state: "open" });
    expect(await port.find(atProvider, toolsWith())).toBe("waiting");
    fake.order(NUMBER, { state: "paid" });
    expect(await port.find(atProvider, toolsWith())).toMatchObject(paid);
  });

  it("returns a callback's false claims, for comparison with the order", () => {
    expect(read(fake.callback(known(), { amount: 1 }))).toMatchObject({ kind: "paid", amount: 1 });
    expect(read(fake.callback(known(), { number: OTHER }))).toMatchObject({ kind: "paid", number: OTHER });
    if (name !== "epay" && name !== "alipay")
      expect(read(fake.callback(known(), { currency: "USD" }))).toMatchObject({ currency: "USD" });
  });

  it("refuses a callback that is forged, of another merchant or of another key", () => {
    expect(read(fake.callback(known(), { isForged: true }))).toEqual({
      kind: "refused",
      fault: "signature-wrong",
    });
    expect(read(fake.callback(known(), { merchant: "other" }))).toEqual({
      kind: "refused",
      fault: "other-merchant",
    });
    for (const key of ["StripeWebhookSecret", "EPayKey", "AlipayPublicKey", "WeChatPayPublicKey"])
      if (key in fake.options)
        for (const value of ["", "another key", "0".repeat(400)])
          expect(read(fake.callback(known()), { [key]: value })).toEqual({
            kind: "refused",
            fault: "signature-wrong",
          });
  });

  it("refuses a callback of which any byte was changed, or that was cut off", () => {
    const sent = fake.callback(known());
    expect(read(fake.callback(known(), { isTruncated: true })).kind).toBe("refused");
    const text = sent.body || sent.query;
    for (let at = 0; at < text.length; at += 7) {
      const other = text[at] === "7" ? "8" : "7";
      const changed = text.slice(0, at) + other + text.slice(at + 1);
      const result = read(sent.body ? { ...sent, body: changed } : { ...sent, query: changed });
      // Where a form has fields beside those that are signed, another one may be read; nothing that counts may differ.
      if (result.kind !== "refused") expect(result).toEqual(read(sent));
    }
  });

  it("rejects any hostile request without throwing", () => {
    const headers = { "stripe-signature": "t=1,v1=x", "wechatpay-timestamp": "x" };
    for (const body of ["", "{", "null", "[]", '{"__proto__":1}', "a=1&sign=\u0000&sign_type=RSA2", "\ud800"])
      for (const method of ["GET", "POST"] as const)
        expect(read({ method, query: `?${body}`, headers, body })).toMatchObject({ kind: "refused" });
  });

  it("says that money went back, and that nothing happened", () => {
    expect(["ignored", "expired"]).toContain(read(fake.callback(known(), { event: "nothing" })).kind);
    if (name === "epay") return;
    const says = { event: "refunded", refund: { amount: 34, reference: "r1" } } as const;
    expect(read(fake.callback(known(), says))).toMatchObject(
      name === "wechat-pay"
        ? { kind: "refunded-part", amount: 34, reference: "r1" }
        : { kind: "refunded", total: 34 },
    );
  });

  it("distinguishes a refusal from an unknown outcome, and reveals no secret", async () => {
    for (const [how, fault] of [
      ["silent", "unreachable"],
      ["breaks", "unreachable"],
      ["refuses", "refused"],
    ] as const) {
      fake.behave(how);
      const answers = [
        ...(name === "epay" ? [] : [await port.begin(order, toolsWith())]),
        ...(port.refund ? [await port.refund({ ...atProvider, ...REFUND }, toolsWith())] : []),
      ];
      for (const answer of answers) {
        expect(answer).toMatchObject({ kind: "fault", fault });
        for (const secret of Object.values(fake.options))
          expect(JSON.stringify(answer)).not.toContain(secret);
      }
      const found = await port.find(atProvider, toolsWith());
      expect(found === "waiting" || ("kind" in found && found.kind === "fault")).toBe(true);
    }
    fake.behave("well");
  });

  it("refunds a part once, however often it is asked", async () => {
    if (!port.refund) return;
    fake.order(NUMBER, { state: "paid", amount: 1234, refunds: new Map() });
    const refund = { ...atProvider, ...REFUND, refund: "r".repeat(32), refundAmount: 200 };
    expect(await port.refund(refund, toolsWith())).toBe("done");
    expect(await port.refund(refund, toolsWith())).toBe("done");
    expect([...(fake.orders.get(NUMBER)?.refunds ?? [])]).toEqual([["r".repeat(32), 200]]);
    // One that WeChat Pay still works on may fail later, which it reports to the address of the request.
    if (name === "wechat-pay") expect(fake.asked.at(-1)).toContain(`"notify_url":"${REFUND.notifyUrl}"`);
  });

  it("does not know whether a refund was made that something in between answers with a page", async () => {
    if (!port.refund) return;
    fake.order(NUMBER, { state: "paid", amount: 1234, refunds: new Map() });
    fake.behave("garbles");
    const refund = { ...atProvider, ...REFUND, refundAmount: 200 };
    expect(await port.refund(refund, toolsWith())).toMatchObject({ kind: "fault", fault: "unreachable" });
    fake.behave("well");
    expect(await port.refund(refund, toolsWith())).toBe("done");
    expect([...(fake.orders.get(NUMBER)?.refunds ?? [])]).toEqual([[REFUND.refund, 200]]);
  });
});

describe("a time that is not now", () => {
  it.each(["stripe", "wechat-pay"] as const)("is refused of %s, before and after", async (name) => {
    const fake = await (name === "stripe" ? startFakeStripe() : startFakeWeChatPay());
    const port = PAYMENT_PORTS[name];
    const tools = paymentToolsFor(port, (key) => fake.options[key] ?? "", {}, Date.now());
    const at = (ms: number) =>
      port.read(received(fake.callback(fake.order(NUMBER), { atMs: Date.now() + ms })), tools);
    for (const ms of [-301_000 - 1000, 302_000, -1e9])
      expect(at(ms)).toEqual({ kind: "refused", fault: "too-old" });
    for (const ms of [-290_000, 290_000]) expect(at(ms).kind).toBe("paid");
    await fake.close();
  });
});

describe("EPay's signature of a checkout", () => {
  it("is none of a callback, whatever the order is called", async () => {
    const fake = await startFakeEPay();
    const tools = paymentToolsFor(PAYMENT_PORTS.epay, (key) => fake.options[key] ?? "", {}, Date.now());
    const words = `A&out_trade_no=${OTHER}&pid=1001&trade_no=1&trade_status=TRADE_SUCCESS&z=`;
    const checkout = await PAYMENT_PORTS.epay.begin({ ...order, subject: words }, tools);
    const shown = new URL(checkout.kind === "redirect" ? checkout.url : "").searchParams;
    const { sign = "", sign_type: type = "", ...fields } = Object.fromEntries(shown);
    const signed = Object.keys(fields)
      .sort()
      .map((field) => `${field}=${fields[field]}`)
      .join("&");
    // The same text, read as other fields.
    const rest = signed.slice(signed.indexOf("z=") + 2);
    const read = { money: "12.34", name: "A", out_trade_no: OTHER, pid: "1001", trade_no: "1", z: rest };
    const form = new URLSearchParams({ ...read, trade_status: "TRADE_SUCCESS", sign, sign_type: type });
    const callback = { method: "GET", query: `?${form}`, headers: {}, body: "" } as const;
    expect(PAYMENT_PORTS.epay.read(received(callback), tools)).toEqual({
      kind: "refused",
      fault: "signature-wrong",
    });
    await fake.close();
  });
});

describe("EPay in the page", () => {
  it("shows the code of the aggregator", async () => {
    const fake = await startFakeEPay();
    const tools = paymentToolsFor(PAYMENT_PORTS.epay, (key) => fake.options[key] ?? "", {}, Date.now());
    const checkout = await PAYMENT_PORTS.epay.begin({ ...order, method: "wxpay" }, tools);
    expect(checkout).toMatchObject({ kind: "qr", content: `weixin://wxpay/${NUMBER}` });
    await fake.close();
  });
});

describe("keys", () => {
  it("are read as PEM, as base64 alone and with blanks for lines", () => {
    const { merchant } = paymentKeys();
    for (const key of [merchant.privateKey, privatePem(merchant), privatePem(merchant).replaceAll("\n", " ")])
      for (const open of [merchant.publicKey, publicPem(merchant)])
        expect(paymentCrypto.verifyRsa(open, ["a", Buffer.from("b")], paymentCrypto.signRsa(key, "ab"))).toBe(
          true,
        );
  });
});

describe("the list of payment providers", () => {
  it("names each provider and option once, and has its options filled before it is switched on", () => {
    const names = PAYMENT_PROVIDERS.map(({ name }) => name);
    const keys = PAYMENT_PROVIDERS.flatMap((each) => [each.switch.option, ...Object.keys(each.options)]);
    expect([new Set(names).size, new Set(keys).size]).toEqual([names.length, keys.length]);
    for (const { name, refunds } of PAYMENT_PROVIDERS)
      expect(PAYMENT_PORTS[name].refund !== undefined).toBe(refunds);
  });
});

it("takes a refund for made where Stripe says that all of the payment went back already", async () => {
  const refunded = (code: string) =>
    PAYMENT_PORTS.stripe.refund?.(
      { ...atProvider, ...REFUND, refundAmount: 1234 },
      {
        ...paymentToolsFor(PAYMENT_PORTS.stripe, () => "sk_test", {}, Date.now()),
        ask: async () => ({
          status: 400,
          text: JSON.stringify({ error: { type: "invalid_request_error", code } }),
          header: () => "",
        }),
      },
    );
  expect(await refunded("charge_already_refunded")).toBe("done");
  expect(await refunded("charge_disputed")).toMatchObject({ fault: "refused" });
});
