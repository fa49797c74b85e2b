import { createServer, type IncomingMessage } from "node:http";
import { listenOnLoopback } from "../loopback-server";

/** An order as a provider has it. */
export interface ProviderOrder {
  number: string;
  /** The requested amount, in minor units. */
  amount: number;
  currency: string;
  notifyUrl: string;
  /** The provider's names of the checkout and the payment. */
  checkout: string;
  payment: string;
  state: "open" | "paid" | "expired" | "failed";
  /** Refunds by their numbers, in minor units. */
  refunds: Map<string, number>;
  /** Refunds among them that failed. */
  failed: Set<string>;
}

/** Fields of a callback; omitted ones are true. Each field is a separate lie. */
export interface CallbackFields {
  event?:
    | "paid"
    | "failed"
    | "expired"
    | "refunded"
    | "refund-failed"
    | "disputed"
    | "dispute-won"
    | "dispute-lost"
    | "nothing";
  /** The amount that it names. */
  amount?: number;
  currency?: string;
  /** Another order's number. */
  number?: string;
  /** Another payment's. */
  payment?: string;
  /** Another merchant's. */
  merchant?: string;
  /** The callback's own sending time, in unix milliseconds. */
  atMs?: number;
  /** A refund. */
  refund?: { amount: number; reference: string };
  /** Signed with another key. */
  isForged?: true;
  /** Cut in the middle after it was signed. */
  isTruncated?: true;
}

/**
 * "loses": it executes requests, but the answers are lost. "garbles": something in between answers with a page instead. "forgets": it also forgets earlier requests, like a provider
 * that keeps idempotency keys for only a day.
 */
export type Behaviour = "well" | "silent" | "refuses" | "breaks" | "loses" | "garbles" | "forgets";

/** A callback on its way. */
export interface SentCallback {
  method: "GET" | "POST";
  /** With the question mark; "" for none. */
  query: string;
  headers: Record<string, string>;
  body: string;
}

/** A provider of payments, played with real signatures, that can lie in every way. */
export interface FakeProvider {
  url: string;
  /** The site's options with which it is used. */
  options: Readonly<Record<string, string>>;
  orders: ReadonlyMap<string, ProviderOrder>;
  /** Received bodies, without the secrets of headers. */
  asked: readonly string[];
  /** An order that the site began, or one that a test makes up. */
  order(number: string, more?: Partial<ProviderOrder>): ProviderOrder;
  /** Its callback about an order. */
  callback(order: ProviderOrder, says?: CallbackFields): SentCallback;
  /** Sets its behaviour from now on. */
  behave(how: Behaviour): void;
  /** Runs before an answer leaves: callbacks may come before it. */
  beforeAnswer(step: ((order: ProviderOrder) => Promise<void>) | undefined): void;
  close(): Promise<void>;
}

/** The differences between the kinds of providers. */
export interface FakeKind {
  options(url: string): Readonly<Record<string, string>>;
  /** @returns the answer; undefined for an address that it does not have. */
  answer(
    asked: { method: string; path: string; query: URLSearchParams; body: string },
    world: { orders: Map<string, ProviderOrder>; url: string; forgets: boolean },
  ): FakeAnswer | undefined;
  callback(order: ProviderOrder, says: CallbackFields): SentCallback;
  /** Its answer to all refused requests. */
  refusal: FakeAnswer;
}

export interface FakeAnswer {
  status?: number;
  body: string;
  headers?: Record<string, string>;
  /** The order concerned. */
  order?: ProviderOrder;
}

export const newProviderOrder = (number: string, more: Partial<ProviderOrder> = {}): ProviderOrder => ({
  number,
  amount: 100,
  currency: "CNY",
  notifyUrl: "",
  checkout: `checkout_${number}`,
  payment: `payment_${number}`,
  state: "open",
  refunds: new Map(),
  failed: new Set(),
  ...more,
});

export const totalBack = ({ refunds, failed }: ProviderOrder): number =>
  [...refunds].reduce((sum, [number, amount]) => sum + (failed.has(number) ? 0 : amount), 0);

const readWhole = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
};

/** Minor units of a currency with two digits, as texts have them. */
export const yuan = (amount: number): string => (amount / 100).toFixed(2);
export const fen = (text: string | null | undefined): number => Math.round(Number(text) * 100);

export const startFakeProvider = async (kind: FakeKind): Promise<FakeProvider> => {
  const orders = new Map<string, ProviderOrder>();
  const asked: string[] = [];
  let behaviour: Behaviour = "well";
  let before: ((order: ProviderOrder) => Promise<void>) | undefined;
  const server = createServer(async (request, response) => {
    const body = await readWhole(request);
    const address = new URL(request.url ?? "/", "http://fake");
    asked.push(`${request.method} ${address.pathname}${address.search} ${body}`);
    if (behaviour === "silent") {
      response.destroy();
      return;
    }
    if (behaviour === "breaks") {
      response.writeHead(502).end("<html>");
      return;
    }
    const said =
      behaviour === "refuses"
        ? kind.refusal
        : (kind.answer(
            { method: request.method ?? "", path: address.pathname, query: address.searchParams, body },
            { orders, url, forgets: behaviour === "forgets" },
          ) ?? { status: 404, body: "{}" });
    if (said.order) await before?.(said.order);
    if (behaviour === "loses") {
      response.destroy();
      return;
    }
    if (behaviour === "garbles") {
      response.writeHead(200, { "content-type": "text/html" }).end("<html>");
      return;
    }
    response.writeHead(said.status ?? 200, { "content-type": "application/json", ...said.headers });
    response.end(said.body);
  });
  const url = await listenOnLoopback(server);
  return {
    url,
    options: kind.options(url),
    orders,
    asked,
    order(number, more) {
      const known = orders.get(number) ?? newProviderOrder(number);
      Object.assign(known, more);
      orders.set(number, known);
      return known;
    },
    callback: (order, says = {}) => kind.callback(order, says),
    behave(how) {
      behaviour = how;
    },
    beforeAnswer(step) {
      before = step;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Cuts a body in its middle. */
export const cut = (text: string, isTruncated: boolean | undefined): string =>
  isTruncated ? text.slice(0, text.length / 2) : text;
