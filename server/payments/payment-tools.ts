import type { PaymentPort, PaymentTools, ProviderAnswer } from "@tollgate/contract/payments/payment-port";
import { JSON_BOUNDS, scanJson } from "@tollgate/protocols/shared/json/scan-json";
import { askText } from "@tollgate/relay/transport/guarded-fetch";
import { paymentCrypto } from "./payment-crypto";

const TIMEOUT_MS = 10_000;
/** Providers answer with some kilobytes. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** Text in which JSON may be parsed; "" for JSON that would cost more than its size lets expect. */
export const parsableText = (bytes: Buffer): string =>
  // "{"
  bytes[0] === 0x7b && scanJson(bytes, JSON_BOUNDS) ? "" : bytes.toString("utf8");

const readForm = (text: string): ReadonlyMap<string, string> => {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) if (!fields.has(name)) fields.set(name, value);
  return fields;
};

/** Sends requests to providers: through the outbound guard, like any address that an administrator may type. */
const ask: PaymentTools["ask"] = async ({ method, url, headers, body }) => {
  const answer = await askText(url, {
    method,
    headers: { "user-agent": "tollgate", ...headers },
    ...(body === undefined ? {} : { body }),
    reach: "guarded",
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
  });
  if (answer?.text === undefined) return undefined;
  const text = parsableText(Buffer.from(answer.text));
  const said: ProviderAnswer = {
    status: answer.status,
    text,
    header: (name) => answer.headers.get(name) ?? "",
  };
  return said;
};

/**
 * Dependencies of a payment port.
 * @param option the value of an option of the site. @param addresses of the services, by the names in the ports.
 */
export const paymentToolsFor = (
  { address }: Pick<PaymentPort, "address">,
  option: (key: string) => string,
  addresses: Readonly<Record<string, string>>,
  nowMs: number,
): PaymentTools => ({
  crypto: paymentCrypto,
  nowMs,
  readForm,
  writeForm: (fields) => new URLSearchParams(fields).toString(),
  option: (key) => option(key).trim(),
  address: address ? (addresses[address.variable] ?? address.standard) : "",
  ask,
});
