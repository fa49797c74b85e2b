import { createServer, type Server } from "node:http";
import { listenOnLoopback } from "@tollgate/testkit/loopback-server";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CASHIER_MERCHANT, signEPay } from "./simulated-cashier";
import { type SimulatedUpstream, startSimulatedUpstream } from "./simulated-upstream";

let upstream: SimulatedUpstream;
let site: Server;
let notifyUrl: string;
/** Calls received by the site. */
let told: URLSearchParams[];

beforeEach(async () => {
  told = [];
  site = createServer((request, response) => {
    told.push(new URL(request.url ?? "/", "http://site").searchParams);
    response.end("success");
  });
  notifyUrl = `${await listenOnLoopback(site)}/notify`;
  upstream = await startSimulatedUpstream();
});

afterEach(async () => {
  await upstream.close();
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
});

const orderOf = (more: Readonly<Record<string, string>> = {}): URLSearchParams => {
  const fields = {
    pid: CASHIER_MERCHANT.id,
    type: "alipay",
    out_trade_no: "n1",
    notify_url: notifyUrl,
    return_url: "http://site.test/order?number=n1",
    name: "<Quota>",
    money: "7.20",
  };
  const sign = signEPay(fields, CASHIER_MERCHANT.key);
  return new URLSearchParams({ ...fields, sign, sign_type: "MD5", ...more });
};

it("shows an order, tells the site when it is paid, and sends the buyer back", async () => {
  const page = await fetch(`${upstream.cashierUrl}submit.php?${orderOf().toString()}`);
  const text = await page.text();
  expect(text).toContain("¥7.20");
  expect(text).not.toContain("<Quota>");
  for (let again = 0; again < 2; again += 1) {
    const paid = await fetch(`${upstream.cashierUrl}pay/n1`, { method: "POST", redirect: "manual" });
    expect(paid.headers.get("location")).toBe("http://site.test/order?number=n1");
  }
  expect(told).toHaveLength(1);
  const fields = Object.fromEntries(told[0] ?? []);
  expect(fields).toMatchObject({ out_trade_no: "n1", money: "7.20", trade_status: "TRADE_SUCCESS" });
  expect(fields.sign).toBe(signEPay(fields, CASHIER_MERCHANT.key));
  const query = new URLSearchParams({ act: "order", out_trade_no: "n1", key: CASHIER_MERCHANT.key });
  const asked = await fetch(`${upstream.cashierUrl}api.php?${query.toString()}`);
  expect(await asked.json()).toMatchObject({ code: 1, status: 1, money: "7.20" });
});

it("begins nothing that is not signed, and pays nothing that it does not know", async () => {
  const altered = orderOf({ money: "0.01" }).toString();
  expect((await fetch(`${upstream.cashierUrl}submit.php?${altered}`)).status).toBe(404);
  expect((await fetch(`${upstream.cashierUrl}pay/n1`, { method: "POST" })).status).toBe(404);
  expect(told).toEqual([]);
});
