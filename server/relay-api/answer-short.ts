import type { IncomingMessage, ServerResponse } from "node:http";
import type { Asked, ClientApi } from "@tollgate/contract/relay/client-api";
import type { ClientError } from "@tollgate/contract/relay/error";
import { admit, admitReader, isRefusal, splitPresented } from "@tollgate/relay/admission/admit";
import { permitsModel, resolveChat } from "@tollgate/relay/admission/resolve-model";
import { waitSeconds } from "@tollgate/relay/limits/waiting";
import { refusalHeaders } from "@tollgate/relay/pipeline/refusal-headers";
import type { Describe, Refusal } from "@tollgate/relay/ports/client";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import { failRequest } from "../http/fail-request";
import type { Language } from "../locales/languages";
import type { ModelViews } from "../prices/model-views";
import type { GatewayDirectory } from "../state/gateway-directory";
import type { Address } from "./address-book";
import { type AdmissionSettings, admitRequest, mayBeNew } from "./admit-request";
import type { KeyReads } from "./key-reads";
import { presentedKey } from "./presented-key";
import type { BodyCall } from "./relay-request";
import { sendJson } from "./send-json";

export interface ShortSettings extends AdmissionSettings {
  directory: GatewayDirectory;
  /** The facts about a key's models. */
  modelViews: ModelViews;
  /** Reads of a key about itself. */
  keyReads: KeyReads;
  /** The figures that `/dashboard/billing` answers of a key; undefined when it is gone. */
  readBilling(key: ApiKey, kind: "subscription" | "usage"): Promise<unknown>;
  /** Counts a call against the limit of the management API. @returns the required wait in milliseconds, or 0. */
  takeCall(request: IncomingMessage): number;
  /** Receives failures that clients see without details. */
  reportError(error: Error): void;
}

/** One request without a body. */
interface ShortCall {
  /** The API whose format the answer has. */
  api: ClientApi;
  /** undefined for an unknown address. */
  asked: Exclude<Asked, BodyCall["asked"]> | undefined;
  /** Method and path that were probably meant, for an unknown address. */
  meant: Address["meant"];
  request: IncomingMessage;
  response: ServerResponse;
  /** As the address is declared, else without a slash at its end. */
  path: string;
  query: string;
  requestId: string;
  headers: Record<string, string>;
  describe: Describe;
  language: Language;
}

/** The content of the answer: a list of models, one of them, or figures of a key. */
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

/** Answers an unknown address; the contract repeats it as sent (section 0.3). */
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

/** Sends an answer that is read first; undefined is refused. */
const answerLater = (
  { reportError }: ShortSettings,
  call: ShortCall,
  read: Promise<unknown>,
  refusal: Refusal,
): void => {
  const { response, headers } = call;
  read
    .then(
      (answer) => {
        if (answer === undefined) refuse(call, refusal);
        else sendJson(response, 200, headers, answer);
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
};

/** Answers an admitted key. */
const answerKey = (
  settings: ShortSettings,
  call: ShortCall,
  asked: ShortAsked,
  models: NonNullable<ClientApi["models"]>,
  key: ApiKey,
): void => {
  const { directory, modelViews, keyReads } = settings;
  const { response, query, headers, language } = call;
  const later = (read: Promise<unknown>, refusal: Refusal = { code: "token-invalid" }): void =>
    answerLater(settings, call, read, refusal);
  switch (asked.kind) {
    case "models":
      later(modelViews.list(key, directory.namesOfKey(key)).then((listed) => models.encode(listed, query)));
      return;
    case "model": {
      const { model, effort } = resolveChat(directory, key, asked.id);
      const isUsable = effort
        ? permitsModel(key, model, effort.name)
        : directory.modelsOfKey(key).includes(model);
      if (isUsable)
        sendJson(
          response,
          200,
          headers,
          models.describe(modelViews.describe(key, { name: asked.id, model })),
        );
      else refuse(call, { code: "model-not-listed", params: { model: asked.id } }, models.encodeMissing);
      return;
    }
    case "billing":
      later(settings.readBilling(key, asked.figures));
      return;
    case "key-usage":
      later(keyReads.usage(key));
      return;
    case "key-days":
      later(keyReads.days(key, asked.days, asked.offset));
      return;
    case "generation":
      later(keyReads.generation(key, asked.id, language), { code: "generation-not-listed" });
      return;
    case "generations":
      later(keyReads.generations(key, asked.count, language));
  }
};

/**
 * Answers requests without a body: a key's models and usage, and unknown addresses.
 * @param isAgain for the second attempt, because another node may have created the key at the time of the request.
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
  const isOfModels = asked.kind === "models" || asked.kind === "model";
  const waitMs = !isOfModels && !isAgain ? settings.takeCall(request) : 0;
  if (waitMs > 0) {
    response.writeHead(429, { ...headers, "retry-after": String(waitSeconds(waitMs)) });
    response.end();
    return;
  }
  const presented = splitPresented(presentedKey(request, api.keyParameter, query));
  const admitted = isOfModels || asked.kind === "billing" ? admit : admitReader;
  const admission = admitRequest(settings, request, presented, admitted);
  if (!isAgain && settings.catchUp && isRefusal(admission) && mayBeNew(admission, presented)) {
    settings
      .catchUp()
      .then((isCaughtUp) => {
        if (response.destroyed) return;
        // Whether the key is valid is unknown: a client that is refused would stop trying.
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
