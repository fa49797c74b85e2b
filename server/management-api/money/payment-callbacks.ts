import { isProviderName } from "@tollgate/contract/payments/providers";
import { PAYMENT_CALLBACK_PATH } from "@tollgate/contract/resource/served-paths";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Orders } from "../../payments/orders";
import { parsableText } from "../../payments/payment-tools";
import type { OtherCall } from "../openapi";

/** Callbacks have some kilobytes. */
const MAX_BODY_BYTES = 64 * 1024;

const headerOf = (request: FastifyRequest, name: string): string => {
  const value = request.headers[name];
  return typeof value === "string" ? value : "";
};

/** For the API's description. */
export const PAYMENT_CALLBACK: OtherCall = {
  methods: ["GET", "POST"],
  path: PAYMENT_CALLBACK_PATH,
  summary: "Receives a payment provider's report on the state of an order",
  description: "Everybody: what is said counts by its signature alone, over the bytes as they came.",
};

/**
 * Callback addresses for payment providers, for all callers. A callback is authenticated
 * only by its signature over the bytes of its body: sessions are ignored, so that a page of another site can do nothing
 * with one, and so is its origin. It has no rate limit, because that would also hit genuine callbacks; until it is
 * verified it costs one signature check, and storage at most an occasional count.
 */
export const registerPaymentCallbacks = (
  app: FastifyInstance,
  orders: Pick<Orders, "receive">,
  /** Waits until changes by other nodes are known here: settings, and users whose balance is in memory. */
  catchUp: () => Promise<void>,
): void => {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { provider } = request.params as { provider: string };
    if (!isProviderName(provider)) return reply.code(404).send("");
    await catchUp();
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const { url } = request.raw;
    const said = await orders.receive(provider, {
      method: request.method === "GET" ? "GET" : "POST",
      query: url?.includes("?") ? url.slice(url.indexOf("?") + 1) : "",
      body,
      text: parsableText(body),
      header: (name) => headerOf(request, name),
    });
    return reply.code(said.status).type(said.type).send(said.body);
  };
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.route({
      method: [...PAYMENT_CALLBACK.methods],
      url: PAYMENT_CALLBACK.path,
      bodyLimit: MAX_BODY_BYTES,
      handler: answer,
    });
  });
};
