import type { IncomingMessage, ServerResponse } from "node:http";
import type { Asked, ClientApi } from "@tollgate/contract/relay/client-api";
import type { ClientError } from "@tollgate/contract/relay/error";
import { isRefusal, splitPresented } from "@tollgate/relay/admission/admit";
import { waitSeconds } from "@tollgate/relay/limits/waiting";
import { refusalHeaders } from "@tollgate/relay/pipeline/refusal-headers";
import type { ApiKey, Describe, Refusal } from "@tollgate/relay/ports";
import { failRequest } from "../http/fail-request";
import type { GatewayDirectory } from "../state/gateway-directory";
import type { Address } from "./address-book";
import { type AdmissionSettings, admitRequest, mayBeNew } from "./admit-request";
import { listedModel } from "./models";
import { presentedKey } from "./presented-key";
import type { BodyCall } from "./relay-request";
import { sendJson } from "./send-json";

export interface ShortSettings extends AdmissionSettings {
  directory: GatewayDirectory;
  /** The figures that `/dashboard/billing` answers of a key; undefined when it is gone. */
  readBilling(key: ApiKey, kind: "subscription" | "usage"): Promise<unknown>;
  /** Counts a call against the limit of the management API. @returns 0, or how many milliseconds it has to wait. */
  takeCall(request: IncomingMessage): number;
  /** Told of a failure that no client is told of in detail. */
  reportError(error: Error): void;
}

/** One request without a body. */
interface ShortCall {
  /** In whose shape it is answered. */
  api: ClientApi;
  /** undefined where there is nothing at its address. */
  asked: Exclude<Asked, BodyCall["asked"]> | undefined;
  /** Method and path that were probably meant, where there is nothing. */
  meant: Address["meant"];
  request: IncomingMessage;
  response: ServerResponse;
  /** As the address is declared, else without a slash at its end. */
  path: string;
  query: string;
  requestId: string;
  headers: Record<string, string>;
  describe: Describe;
}

/** What is asked where there is something to answer: a list of models, one of them, or figures of a key. */
type ShortAsked = Exclude<NonNullable<ShortCall["asked"]>, { kind: "refusal" }>;

const refuse = (
  { api, response, requestId, headers, describe }: ShortCall,
  refusal: Refusal,
  encode?: (error: ClientError) => unknown,
): void => {
  const error = describe(refusal);
  const body = encode?.(error) ?? api.protocol.encodeError(error, requestId);
  sendJson(response, error.status, { ...headers, ...refusalHeaders(refusal, error) }, body);
};

/** Says that there is nothing at an address; the contract repeats it as it was sent (section 0.3). */
const refuseUnknown = (call: ShortCall): void => {
  const { api, meant, request, path } = call;
  const named = api.encodeUnknownPath ? request.url?.split("?")[0] : path;
  const target = `${request.method} ${named}`;
  const refusal: Refusal =
    meant === undefined
      ? { code: "not-found", params: { target } }
      : { code: "address-mistyped", params: { target, meant } };
  refuse(call, refusal, api.encodeUnknownPath);
};

/** Answers an admitted key. */
const answerKey = (
  { directory, readBilling, reportError }: ShortSettings,
  call: ShortCall,
  asked: ShortAsked,
  models: NonNullable<ClientApi["models"]>,
  key: ApiKey,
): void => {
  const { response, query, headers } = call;
  const send = (value: unknown): void => sendJson(response, 200, headers, value);
  switch (asked.kind) {
    case "models":
      send(models.encode(directory.modelsOfKey(key).map(listedModel), query));
      return;
    case "model":
      if (directory.modelsOfKey(key).includes(asked.id)) send(models.describe(listedModel(asked.id)));
      else refuse(call, { code: "model-not-listed", params: { model: asked.id } }, models.encodeMissing);
      return;
    case "billing":
      readBilling(key, asked.figures)
        .then(
          (figures) => {
            if (figures === undefined) refuse(call, { code: "token-invalid" });
            else send(figures);
          },
          (error: Error) => {
            reportError(error);
            refuse(call, { code: "internal" });
          },
        )
        .catch((error: Error) => {
          reportError(error);
          failRequest(response);
        });
  }
};

/**
 * Answers what needs no body: what a key may use and has spent, and what there is not.
 * @param isAgain for the second time, because its key may have been made by another node when the request came.
 */
export const answerShort = (settings: ShortSettings, call: ShortCall, isAgain = false): void => {
  const { api, asked, request, response, query, headers } = call;
  const { models } = api;
  if (!asked || !models) {
    refuseUnknown(call);
    return;
  }
  if (asked.kind === "refusal") {
    refuse(call, { code: asked.code });
    return;
  }
  const waitMs = asked.kind === "billing" && !isAgain ? settings.takeCall(request) : 0;
  if (waitMs > 0) {
    response.writeHead(429, { ...headers, "retry-after": String(waitSeconds(waitMs)) });
    response.end();
    return;
  }
  const presented = splitPresented(presentedKey(request, api.keyParameter, query));
  const admission = admitRequest(settings, request, presented);
  if (!isAgain && settings.catchUp && isRefusal(admission) && mayBeNew(admission, presented)) {
    settings
      .catchUp()
      .then((isCaughtUp) => {
        if (response.destroyed) return;
        // Whether the key is good is not known: who is told that it is not gives up.
        if (isCaughtUp) answerShort(settings, call, true);
        else refuse(call, { code: "node-not-admitting" });
      })
      .catch((error: Error) => {
        settings.reportError(error);
        failRequest(response);
      });
    return;
  }
  if (isRefusal(admission)) refuse(call, admission);
  else answerKey(settings, call, asked, models, admission.key);
};
