/* Addresses below /api that are no calls of the console, and a prefix that several calls share. */

/** Where payment providers report the state of an order. */
export const PAYMENT_CALLBACK_PATH = "/api/payment/:provider";

/** The callback address of one provider, below the server's address. */
export const paymentCallbackPath = (provider: string): string =>
  PAYMENT_CALLBACK_PATH.replace(":provider", provider);

/** The description of all calls: as OpenAPI, and as a page. */
export const OPENAPI_PATH = "/api/openapi.json";
export const DOCS_PATH = "/api/docs";

/** The calls of signing in elsewhere, which the cookie of its state goes to. */
export const OAUTH_PATH = "/api/oauth";
