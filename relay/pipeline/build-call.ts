import type { ClientProtocol, RequestSummary } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { isRecord } from "@tollgate/protocols/shared/json/json-values";
import type { UpstreamTarget } from "../ports/directory";
import type { UpstreamRequest } from "../ports/transport";
import { takesStreamOptions, upstreamPath } from "../routing/addressing";
import { changeBody } from "./change-body";

/** @param model the upstream's model name. @throws RequestInvalid */
export type Screen = (body: Record<string, unknown>, model: string) => Record<string, unknown>;

export type Write = (body: unknown) => Uint8Array | string;

/**
 * The upstream request of one attempt. When both sides use the same protocol and nothing must change, the client's own
 * bytes are sent; otherwise as little as possible is changed: seals of other vendors, for example, are removed. A
 * channel that passes bodies unchanged adds only fields that metering needs.
 * @param rawBody the bytes of `body`; undefined when the body is not the client's own.
 * @param mappedModel the name after the channel's mapping.
 * @param screen removes disallowed parts of the body; returns the same object if nothing was removed.
 * @param parse parses the request; only called for an upstream of another protocol.
 * @param write serializes a body that is not the client's own.
 * @throws RequestInvalid when the upstream's protocol cannot express the request.
 */
export const buildCall = (
  client: ClientProtocol,
  entry: UpstreamTarget,
  rawBody: Uint8Array | undefined,
  body: Record<string, unknown>,
  mappedModel: string,
  summary: RequestSummary,
  screen: Screen = (unchanged) => unchanged,
  parse: () => ChatRequest = () => client.parseRequest(body, summary),
  write: Write = JSON.stringify,
): UpstreamRequest => {
  const { isStream } = summary;
  const model = nameForUpstream(entry, mappedModel);
  const { passThrough } = entry.protocol;
  const refused = refusedFields(entry);
  if (client.name !== entry.protocol.name || passThrough === undefined)
    return buildTranslated(entry, { ...parse(), model }, isStream, refused, screen, write);
  const own = entry.overrides?.passesBody ? body : client.withoutForeignSeals(body, model);
  const screened = screen(own, model);
  const amendment = passThrough.amendBody(body);
  const isMapped = passThrough.hasModelInBody && body.model !== model;
  const isRefused =
    rawBody === undefined ||
    screened !== body ||
    refused.some((field) => field in body || (amendment && field in amendment));
  return withProxy(entry, {
    origin: entry.origin,
    path: upstreamPath(entry, passThrough.path(model, isStream), model),
    headers: passHeaders(entry, isStream),
    body: isRefused
      ? write(without({ ...screened, ...(isMapped ? { model } : {}), ...amendment }, refused))
      : isMapped
        ? write({ ...body, model, ...amendment })
        : amendment
          ? amend(rawBody, body, amendment, write)
          : rawBody,
  });
};

/** The request to an upstream of another protocol than the client's. */
const buildTranslated = (
  entry: UpstreamTarget,
  request: ChatRequest,
  isStream: boolean,
  refused: readonly string[],
  screen: Screen,
  write: Write,
): UpstreamRequest => {
  const { model } = request;
  const accept = isStream ? "text/event-stream" : "application/json";
  const call = entry.protocol.buildRequest(request, entry.fields);
  const steps = entry.overrides?.body;
  const changed = steps && isRecord(call.body) ? changeBody(call.body, steps) : undefined;
  const whole = changed ? changed.body : call.body;
  const built = isRecord(whole) ? screen(whole, model) : whole;
  return withProxy(entry, {
    origin: entry.origin,
    path: upstreamPath(entry, call.path, model),
    headers: { "content-type": "application/json", accept, ...call.headers, ...entry.headers },
    body: write(refused.length === 0 ? built : without(built, refused)),
    isLastMessage: entry.protocol.isLastMessage,
    ...(changed && changed.applied.length > 0 ? { applied: changed.applied } : {}),
  });
};

const withProxy = ({ proxy }: UpstreamTarget, request: UpstreamRequest): UpstreamRequest =>
  proxy === "" ? request : { ...request, proxy };

type Headers = Record<string, string>;

const passedHeaders = new WeakMap<Headers, { whole: Headers; stream: Headers }>();

/** The headers of a request that passes unchanged: one object for every request of a channel, created once. */
const passHeaders = ({ headers }: UpstreamTarget, isStream: boolean): Headers => {
  let known = passedHeaders.get(headers);
  if (!known) {
    const withAccept = (accept: string): Headers =>
      Object.freeze({ "content-type": "application/json", accept, ...headers });
    known = { whole: withAccept("application/json"), stream: withAccept("text/event-stream") };
    passedHeaders.set(headers, known);
  }
  return isStream ? known.stream : known.whole;
};

const NONE: readonly string[] = [];

/** Fields at the top of a body that the vendor, or the protocol at its address, refuses. */
const refusedFields = (entry: UpstreamTarget): readonly string[] => {
  let refused = entry.vendor.refusedFields ?? NONE;
  const { passThrough } = entry.protocol;
  if (passThrough?.refusedFields) refused = [...refused, ...passThrough.refusedFields];
  if (!takesStreamOptions(entry)) refused = [...refused, "stream_options"];
  // When a body passes unchanged, only the gateway's own additions are withheld from an upstream that rejects them.
  return entry.overrides?.passesBody ? refused.filter((field) => field === "stream_options") : refused;
};

/** The vendor's name for a model that clients call differently. */
export const nameForUpstream = ({ route }: UpstreamTarget, mappedModel: string): string =>
  route.modelNames?.[mappedModel] ?? mappedModel;

/** A body without some of its top-level fields. */
const without = (body: unknown, fields: readonly string[]): unknown =>
  Object.fromEntries(Object.entries(body as object).filter(([field]) => !fields.includes(field)));

const writtenAmendments = new WeakMap<Record<string, unknown>, Buffer>();

/** The bytes after the opening brace. Most amendments are the same object for every request. */
const writeAmendment = (amendment: Record<string, unknown>): Buffer => {
  let written = writtenAmendments.get(amendment);
  if (!written) {
    written = Buffer.from(`${JSON.stringify(amendment).slice(1, -1)},`);
    writtenAmendments.set(amendment, written);
  }
  return written;
};

const BRACE = 0x7b;
/** A body up to this size costs less to copy than to send in pieces. */
const COPIED_BYTES = 64 * 1024;

/**
 * Adds fields to a body without reading the rest of it: they go in front, right after the opening brace. A body that has
 * one of them already is written again.
 */
export const amend = (
  rawBody: Uint8Array,
  body: Readonly<Record<string, unknown>>,
  amendment: Record<string, unknown>,
  write: Write = JSON.stringify,
): UpstreamRequest["body"] => {
  for (const field in amendment) if (field in body) return write({ ...body, ...amendment });
  const start = rawBody.indexOf(BRACE) + 1;
  const fields = writeAmendment(amendment);
  if (rawBody.byteLength > COPIED_BYTES) return [rawBody.subarray(0, start), fields, rawBody.subarray(start)];
  const amended = Buffer.allocUnsafe(rawBody.length + fields.length);
  amended.set(rawBody, fields.length);
  // Up to the brace there is hardly more than the brace.
  for (let at = 0; at < start; at += 1) amended[at] = rawBody[at] as number;
  amended.set(fields, start);
  return amended;
};
