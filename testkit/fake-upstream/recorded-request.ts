import type { IncomingMessage } from "node:http";

/** A request as the fake upstream received it. */
export interface RecordedRequest {
  method: string;
  /** With the query string. */
  path: string;
  headers: IncomingMessage["headers"];
  rawBody: Buffer;
  /** The parsed JSON body; undefined for any other. */
  body: Record<string, unknown> | undefined;
  /** The form, parsed by another parser than the product's; undefined for any other body. */
  form: FormData | undefined;
  /** The other side left before it had the whole answer. */
  isAbandoned: boolean;
}

const parseBody = (bytes: Buffer): Record<string, unknown> | undefined => {
  try {
    const parsed: unknown = JSON.parse(bytes.toString());
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

const parseForm = async (bytes: Buffer, contentType: string): Promise<FormData | undefined> => {
  if (!contentType.startsWith("multipart/form-data")) return undefined;
  try {
    return await new Response(bytes, { headers: { "content-type": contentType } }).formData();
  } catch {
    return undefined;
  }
};

const readBytes = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** A socket's first message, in place of a body. */
export const recordMessage = (
  { method = "", url = "/", headers }: IncomingMessage,
  rawBody: Buffer,
): RecordedRequest => ({
  method,
  path: url,
  headers,
  rawBody,
  body: parseBody(rawBody),
  form: undefined,
  isAbandoned: false,
});

/** Waits for the whole request. */
export const recordRequest = async (request: IncomingMessage): Promise<RecordedRequest> => {
  const rawBody = await readBytes(request);
  const form = await parseForm(rawBody, request.headers["content-type"] ?? "");
  return { ...recordMessage(request, rawBody), form };
};
