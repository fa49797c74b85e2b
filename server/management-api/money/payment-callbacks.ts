import { isProviderName } from "@tollgate/contract/payments/providers";
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
  path: "/api/payment/:provider",
  summary: "Where a provider of payments says what became of an order",
  description: "Everybody: what is said counts by its signature alone, over the bytes as they came.",
};

/**
 * Where providers of payments call back: `/api/payment/<provider>`, for all callers. A callback is known by its signature alone, over the bytes of
 * its body: no session is looked at, so that no page of another site can do anything with one, and its origin says nothing. No limit of
 * calls is on it, because genuine ones would meet it as well; until it is verified a callback costs a signature, and nothing is stored of it
 * but a count, now and then.
 */
export const registerPaymentCallbacks = (
  app: FastifyInstance,
  orders: Pick<Orders, "receive">,
  /** Waits until what other nodes changed is known here: settings, and users whose balance is in memory. */
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
