import type { IncomingMessage, ServerResponse } from "node:http";
import type {
  Asked,
  AskedChat,
  AskedCount,
  AskedOperation,
  ClientApi,
} from "@tollgate/contract/relay/client-api";
import { isRecord } from "@tollgate/protocols/shared/json/json-values";
import { isRefusal, splitPresented } from "@tollgate/relay/admission/admit";
import { type ResolvedModel, resolveChat, resolveModel } from "@tollgate/relay/admission/resolve-model";
import { recordRefused } from "@tollgate/relay/pipeline/record-request";
import { refusalHeaders } from "@tollgate/relay/pipeline/refusal-headers";
import type { RequestRecord } from "@tollgate/relay/ports/charges";
import type { Describe, Refusal } from "@tollgate/relay/ports/client";
import type { Relay } from "@tollgate/relay/relay";
import { failRequest } from "../http/fail-request";
import { refuseUpload } from "../http/refuse-upload";
import type { BegunTrace, Tracer } from "../tracing/tracer";
import { ArrayResponse } from "./array-response";
import type { BodyLog } from "./body-log";
import { mediaTypeOf } from "./media-type";
import { presentedKey } from "./presented-key";
import { type AdmittedBody, readAdmitted, type UploadSettings } from "./read-admitted";
import { readChat, readChatInSteps } from "./read-chat";
import { LARGE_BODY_BYTES, LARGE_RECORDING_BYTES } from "./read-json";
import { type ReadOperation, readOperation, readOperationInSteps } from "./read-operation";
import { refusalOf } from "./refusal-of";
import { runLarge } from "./run-large";
import { sendJson } from "./send-json";

/** Dependencies of requests with a body. */
export interface RelaySettings extends UploadSettings {
  relay: Relay;
  bodyLog: Pick<BodyLog, "watch">;
  /** undefined where requests are not traced. */
  tracer: Pick<Tracer, "begin"> | undefined;
  /** Notes a request of a known key that was refused before the engine had it. */
  noteRefused(record: RequestRecord): void;
}

/** A request with a body. */
export interface BodyCall {
  api: ClientApi;
  asked: AskedChat | AskedCount | AskedOperation;
  request: IncomingMessage;
  response: ServerResponse;
  /** The part of its address after the "?". */
  query: string;
  requestId: string;
  /** Headers of every answer to it. */
  headers: Record<string, string>;
  describe: Describe;
  /** undefined where it is not traced. */
  trace?: BegunTrace | undefined;
}

/** Whether the request has a body. */
export const hasBody = (asked: Asked): asked is BodyCall["asked"] =>
  asked.kind === "chat" || asked.kind === "count" || asked.kind === "operation";

/** Follows a request from its arrival to the end of its answer. */
const followed = (tracer: Pick<Tracer, "begin">, call: BodyCall): BodyCall => {
  const { asked, request, response, requestId, describe } = call;
  const trace = tracer.begin(request, requestId, asked.kind !== "count");
  if (!trace) return call;
  response.once("close", () => trace.closed(response.headersSent ? response.statusCode : 0));
  return {
    ...call,
    trace,
    describe(refusal) {
      trace.refused(refusal.code);
      return describe(refusal);
    },
  };
};

/** A request that only lists models asks for the first of them, and for the others in its place. */
const nameFirstModel = (body: unknown): void => {
  if (!isRecord(body) || body.model !== undefined || !Array.isArray(body.models)) return;
  const [first]: readonly unknown[] = body.models;
  if (typeof first === "string") body.model = first;
};

/** Sets a chat's missing model to the one in its address. @returns the resulting bytes of the body. */
const nameModel = (rawBody: Buffer, body: unknown, model: string): Buffer => {
  if (!isRecord(body) || body.models !== undefined) return rawBody;
  if (body.model === undefined) {
    body.model = model;
    const start = rawBody.indexOf("{") + 1;
    const field = Buffer.from(`"model":${JSON.stringify(model)},`);
    return Buffer.concat([rawBody.subarray(0, start), field, rawBody.subarray(start)]);
  }
  // Encoding a large body again would block the event loop for too long.
  if ((body.model !== null && body.model !== "") || rawBody.length > LARGE_BODY_BYTES) return rawBody;
  body.model = model;
  return Buffer.from(JSON.stringify(body));
};

const runChat = (
  { relay, bodyLog, directory }: RelaySettings,
  { api, request, response, requestId, headers, describe, trace }: BodyCall,
  { model, address, isArray }: AskedChat,
  { key, pinned, rawBody: sentBody, memory }: AdmittedBody,
  body: unknown,
): void => {
  const client = api.protocol;
  const rawBody = model === undefined ? sentBody : nameModel(sentBody, body, model);
  if (address === undefined) nameFirstModel(body);
  const asked = client.summarizeRequest(body, address);
  const { model: resolved, alias, effort } = resolveChat(directory, key, asked.model);
  const url = request.url ?? "";
  const said = { requestId, userId: key.user.id, url, contentType: "application/json", rawBody };
  const watched = bodyLog.watch(said, response);
  relay.run({
    client,
    key,
    pinned,
    rawBody,
    body: body as Record<string, unknown>,
    summary: alias === undefined ? asked : { ...asked, model: resolved },
    alias,
    effort,
    response: isArray ? new ArrayResponse(watched) : watched,
    requestId,
    clientHeaders: request.headers,
    headers,
    describe,
    memory,
    trace,
  });
};

const runOperation = (
  { relay, bodyLog }: RelaySettings,
  { api, request, response, requestId, headers, describe, trace }: BodyCall,
  { operation }: AskedOperation,
  { key, pinned, rawBody, memory }: AdmittedBody,
  read: ReadOperation,
): void => {
  // A body that is no form is read as JSON, whatever its type.
  const contentType = read.form ? mediaTypeOf(request.headers["content-type"]) : "application/json";
  const said = { requestId, userId: key.user.id, url: request.url ?? "", contentType, rawBody };
  relay.runOperation({
    ...read,
    operation,
    rawBody,
    client: api.protocol,
    key,
    pinned,
    response: bodyLog.watch(said, response),
    requestId,
    clientHeaders: request.headers,
    headers,
    describe,
    memory,
    trace,
  });
};

const runCount = (
  { relay }: RelaySettings,
  { api, response, headers }: BodyCall,
  { address, count }: AskedCount,
  { key }: AdmittedBody,
  body: unknown,
  refuse: (refusal: Refusal) => void,
  fail: (error: unknown) => void,
): void =>
  relay.count({ client: api.protocol, count, address, body, key }, (result) => {
    if ("error" in result) fail(result.error);
    else if ("refusal" in result) refuse(result.refusal);
    else sendJson(response, 200, { ...headers, ...result.headers }, result.counted);
  });

/** Notes a refusal for the owner of the key, where that is known. A key that fails without end is not written down beyond its limit. */
const noteForOwner = (
  { directory, noteRefused, now }: RelaySettings,
  { api, asked, requestId }: BodyCall,
  presented: string | undefined,
  refusal: Refusal,
): void => {
  if (asked.kind === "count" || refusal.code === "refusals-limited") return;
  const key = directory.findKey(splitPresented(presented).secret);
  if (!key) return;
  const operation = asked.kind === "operation" ? asked.operation.name : asked.kind;
  const refused = { requestId, key, protocol: api.protocol.name, operation, model: "", isStream: false };
  noteRefused(recordRefused(refused, refusal, now()));
};

/**
 * Admits the key, reads the body, and passes the request to the engine, which checks the model and the limits. Refusals
 * have the format of the API at this address.
 */
export const relayRequest = (settings: RelaySettings, arrived: BodyCall): void => {
  const call = settings.tracer ? followed(settings.tracer, arrived) : arrived;
  const { api, asked, request, response, query } = call;
  const presented = presentedKey(request, api.keyParameter, query);
  const refuse = (refusal: Refusal): void => {
    if (response.destroyed) return;
    if (response.headersSent) {
      failRequest(response);
      return;
    }
    noteForOwner(settings, call, presented, refusal);
    const error = call.describe(refusal);
    const body = JSON.stringify(api.protocol.encodeError(error, call.requestId));
    refuseUpload(
      request,
      response,
      error.status,
      { ...call.headers, ...refusalHeaders(refusal, error) },
      body,
    );
  };
  readAdmitted(settings, request, response, presented, (uploaded) => {
    if (isRefusal(uploaded)) {
      refuse(uploaded);
      return;
    }
    const { rawBody } = uploaded;
    const isSearched = asked.kind === "operation" && asked.operation.summarizeInSteps !== undefined;
    const isLarge = rawBody.length > (isSearched ? LARGE_RECORDING_BYTES : LARGE_BODY_BYTES);
    const fail = (error: unknown): void => {
      // One request must not end the process.
      const refusal = refusalOf(error);
      if (!refusal) settings.reportError(error as Error);
      refuse(refusal ?? { code: "internal" });
    };
    try {
      if (asked.kind === "operation") {
        const contentType = request.headers["content-type"] ?? "";
        const run = (read: ReadOperation): void => runOperation(settings, call, asked, uploaded, read);
        const resolve = (name: string): ResolvedModel => resolveModel(uploaded.key, name);
        if (isLarge) {
          const steps = readOperationInSteps(asked, rawBody, contentType, resolve);
          runLarge(settings, response, steps, run, refuse, fail);
        } else run(readOperation(asked, rawBody, contentType, resolve));
        return;
      }
      const form = { client: api.protocol, address: asked.address };
      const run = (body: unknown): void => {
        if (asked.kind === "chat") runChat(settings, call, asked, uploaded, body);
        else runCount(settings, call, asked, uploaded, body, refuse, fail);
      };
      if (isLarge) runLarge(settings, response, readChatInSteps(rawBody, form), run, refuse, fail);
      else run(readChat(rawBody, form));
    } catch (error) {
      fail(error);
    }
  });
};
