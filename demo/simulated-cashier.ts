import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

/*
 * An aggregator of payments that moves no money, in the protocol EPay (易支付), first version: its page has a button in place of an
 * app. One that lies in every way is the test equipment's.
 */

/** The paid merchant, and the key with which both sides sign. */
export const CASHIER_MERCHANT = { id: "1001", key: "simulated-epay-key" } as const;

/** Its path on the simulated upstream's server. */
export const CASHIER_PATH = "/epay";

/** Delay after which a code in the product's page is paid, as if a person had scanned it. */
const SCAN_MS = 15_000;

/** The signature of EPay's first version: all fields but these two and empty ones, in order, and the key. */
export const signEPay = (fields: Readonly<Record<string, string>>, key: string): string => {
  const text = Object.keys(fields)
    .filter((name) => name !== "sign" && name !== "sign_type" && fields[name] !== "")
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join("&");
  return createHash("md5")
    .update(text + key)
    .digest("hex");
};

interface CashierOrder {
  number: string;
  /** The cashier's name of the payment. */
  payment: string;
  subject: string;
  method: string;
  /** The requested amount in CNY. */
  money: string;
  notifyUrl: string;
  returnUrl: string;
  isPaid: boolean;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${String(sign.codePointAt(0))};`);

const pageOf = ({ number, subject, money, isPaid, returnUrl }: CashierOrder): string => `<!doctype html>
<html lang="zh"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>模拟收银台 · Simulated cashier</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 24rem; margin: 15vh auto 0; padding: 0 1rem; }
  strong { display: block; font-size: 2rem; font-variant-numeric: tabular-nums; }
  button { width: 100%; padding: .7rem; font: inherit; cursor: pointer; }
  p { margin: .8rem 0; overflow-wrap: anywhere; }
</style>
<main>
<h1>模拟收银台<br><small>Simulated cashier</small></h1>
<p>这里不会移动任何钱。No money is moved here.</p>
<p>${escapeHtml(subject)}<br><small>${escapeHtml(number)}</small><strong>¥${escapeHtml(money)}</strong></p>
${isPaid ? "<p>已支付 · Paid</p>" : `<form method="post" action="${CASHIER_PATH}/pay/${encodeURIComponent(number)}"><button>支付 · Pay</button></form>`}
<p><a href="${escapeHtml(returnUrl)}">返回 · Go back</a></p>
</main>`;

const isWebAddress = (text: string): boolean => /^https?:\/\//.test(text);

/** Reads the request that begins an order. @returns undefined where the signature is not the merchant's. */
const readOrder = (form: URLSearchParams): CashierOrder | undefined => {
  const fields = Object.fromEntries(form);
  const { sign = "", out_trade_no: number = "", notify_url = "", return_url = "" } = fields;
  const expected = Buffer.from(signEPay(fields, CASHIER_MERCHANT.key));
  const given = Buffer.from(sign);
  const isTheirs = given.length === expected.length && timingSafeEqual(given, expected);
  if (!isTheirs || fields.pid !== CASHIER_MERCHANT.id || number === "" || !isWebAddress(notify_url))
    return undefined;
  return {
    number,
    payment: `simulated-${number}`,
    subject: fields.name ?? "",
    method: fields.type ?? "",
    money: fields.money ?? "",
    notifyUrl: notify_url,
    returnUrl: isWebAddress(return_url) ? return_url : "about:blank",
    isPaid: false,
  };
};

/** A cashier that has forgotten everything when its process ends: an order's own link brings it back. */
export interface SimulatedCashier {
  /** Answers a request to an address below CASHIER_PATH. @param body as it came. */
  serve(request: IncomingMessage, response: ServerResponse, body: string): Promise<void>;
  close(): void;
}

export const createSimulatedCashier = (): SimulatedCashier => {
  const orders = new Map<string, CashierOrder>();
  const scans = new Set<NodeJS.Timeout>();

  const begin = (form: URLSearchParams): CashierOrder | undefined => {
    const read = readOrder(form);
    if (read === undefined) return undefined;
    const order = orders.get(read.number) ?? read;
    orders.set(order.number, order);
    return order;
  };

  /** Pays an order, and notifies the site. */
  const pay = async (order: CashierOrder): Promise<void> => {
    order.isPaid = true;
    const said = {
      pid: CASHIER_MERCHANT.id,
      trade_no: order.payment,
      out_trade_no: order.number,
      type: order.method,
      name: order.subject,
      money: order.money,
      trade_status: "TRADE_SUCCESS",
    };
    const form = new URLSearchParams({
      ...said,
      sign: signEPay(said, CASHIER_MERCHANT.key),
      sign_type: "MD5",
    });
    // A site that is down queries the cashier later.
    await fetch(`${order.notifyUrl}?${form.toString()}`).catch(() => undefined);
  };

  const scanLater = (order: CashierOrder): void => {
    const timer = setTimeout(() => {
      scans.delete(timer);
      void pay(order);
    }, SCAN_MS);
    timer.unref();
    scans.add(timer);
  };

  const json = (response: ServerResponse, value: unknown): void => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
  const html = (response: ServerResponse, order: CashierOrder | undefined): void => {
    response
      .writeHead(order ? 200 : 404, { "content-type": "text/html; charset=utf-8" })
      .end(order ? pageOf(order) : "<!doctype html><title>Simulated cashier</title>No such order.");
  };

  return {
    async serve(request, response, body) {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://cashier");
      const path = pathname.slice(CASHIER_PATH.length);
      if (path === "/submit.php") {
        html(response, begin(request.method === "POST" ? new URLSearchParams(body) : searchParams));
      } else if (path === "/mapi.php") {
        const order = begin(new URLSearchParams(body));
        if (order) scanLater(order);
        json(
          response,
          order
            ? { code: 1, trade_no: order.payment, qrcode: `weixin://simulated/${order.number}` }
            : { code: -1, msg: "The signature is wrong." },
        );
      } else if (path === "/api.php") {
        const order = orders.get(searchParams.get("out_trade_no") ?? "");
        json(
          response,
          order && searchParams.get("key") === CASHIER_MERCHANT.key
            ? {
                code: 1,
                pid: Number(CASHIER_MERCHANT.id),
                trade_no: order.payment,
                out_trade_no: order.number,
                type: order.method,
                money: order.money,
                status: order.isPaid ? 1 : 0,
              }
            : { code: -1, msg: "There is no such order." },
        );
      } else if (request.method === "POST" && path.startsWith("/pay/")) {
        const order = orders.get(decodeURIComponent(path.slice("/pay/".length)));
        if (order && !order.isPaid) await pay(order);
        if (order) response.writeHead(303, { location: order.returnUrl }).end();
        else html(response, undefined);
      } else html(response, undefined);
    },
    close() {
      for (const timer of scans) clearTimeout(timer);
    },
  };
};
