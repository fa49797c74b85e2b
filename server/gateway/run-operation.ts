import type { IncomingMessage, ServerResponse } from "node:http";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { isRefusal } from "@tollgate/relay/admission/admit";
import type { Describe, Refusal } from "@tollgate/relay/ports";
import type { Relay } from "@tollgate/relay/relay";
import { failRequest } from "../http/fail-request";
import { refuseUpload } from "../http/refuse-upload";
import type { BodyLog } from "./body-log";
import { mediaTypeOf } from "./media-type";
import { readAdmitted, type UploadSettings } from "./read-admitted";
import { LARGE_BODY_BYTES } from "./read-json";
import {
  type OperationAddress,
  type ReadOperation,
  readOperation,
  readOperationInSteps,
} from "./read-operation";
import { refusalOf } from "./refusal-of";
import { runLarge } from "./run-large";

/** What running an operation needs of the gateway. */
export interface OperationSettings extends UploadSettings {
  relay: Relay;
  bodyLog: Pick<BodyLog, "watch">;
}

/** One request for an operation. */
export interface OperationCall {
  address: OperationAddress;
  request: IncomingMessage;
  response: ServerResponse;
  /** The key as the client sent it. */
  presented: string | undefined;
  requestId: string;
  headers: Record<string, string>;
  describe: Describe;
}

/** Operations are OpenAI's, and so are their errors. */
const client = CLIENT_PROTOCOLS["openai-chat"];

/** Admits the key, reads the body, and hands the request to the engine. */
export const runOperation = (settings: OperationSettings, call: OperationCall): void => {
  const { request, response, requestId, headers, describe } = call;
  const refuse = (refusal: Refusal): void => {
    if (response.destroyed) return;
    if (response.headersSent) {
      failRequest(response);
      return;
    }
    const error = describe(refusal);
    const body = JSON.stringify(client.encodeError(error, requestId));
    refuseUpload(request, response, error.status, { ...headers, ...refusal.headers }, body);
  };
  readAdmitted(settings, request, response, call.presented, (uploaded) => {
    if (isRefusal(uploaded)) {
      refuse(uploaded);
      return;
    }
    const { key, pinned, rawBody, memory } = uploaded;
    const contentType = request.headers["content-type"] ?? "";
    const run = (read: ReadOperation): void => {
      const watchedCall = {
        requestId,
        userId: key.user.id,
        // What is no form is read as JSON, whatever it is called.
        contentType: read.form ? mediaTypeOf(contentType) : "application/json",
        rawBody,
      };
      settings.relay.runOperation({
        ...read,
        operation: call.address.operation,
        rawBody,
        client,
        key,
        pinned,
        response: settings.bodyLog.watch(watchedCall, response),
        requestId,
        clientHeaders: request.headers,
        headers,
        describe,
        memory,
      });
    };
    const fail = (error: unknown): void => {
      // One request must not end the process.
      const refusal = refusalOf(error);
      if (!refusal) settings.reportError(error as Error);
      refuse(refusal ?? { code: "internal" });
    };
    try {
      if (rawBody.length > LARGE_BODY_BYTES) {
        const steps = readOperationInSteps(call.address, rawBody, contentType);
        runLarge(settings, response, steps, run, refuse, fail);
      } else run(readOperation(call.address, rawBody, contentType));
    } catch (error) {
      fail(error);
    }
  });
};
