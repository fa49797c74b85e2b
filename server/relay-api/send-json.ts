import type { ServerResponse } from "node:http";

/** Answers with JSON. */
export const sendJson = (
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  value: unknown,
): void => {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    ...headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
};
