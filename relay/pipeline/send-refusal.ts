import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import type { ClientResponse, Describe, Refusal } from "../ports/client";
import { refusalHeaders } from "./refusal-headers";

interface Addressee {
  client: Pick<ClientProtocol, "encodeError">;
  response: ClientResponse;
  requestId: string;
  headers: Readonly<Record<string, string>>;
  describe: Describe;
}

/** Answers a request with an error, in its client's shape. */
export const sendRefusal = (
  { response, client, describe, requestId, headers }: Addressee,
  refusal: Refusal,
): void => {
  if (response.destroyed || response.writableEnded) return;
  const error = describe(refusal);
  const body = JSON.stringify(client.encodeError(error, requestId));
  response.writeHead(error.status, {
    ...headers,
    ...refusalHeaders(refusal, error),
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
};
