import type { IncomingMessage } from "node:http";
import { type Admission, isRefusal } from "@tollgate/relay/pipeline/admit";
import type { Refusal } from "@tollgate/relay/ports";
import { type AdmissionSettings, admitRequest } from "./admit-request";
import { readBody } from "./read-body";

export interface AdmittedBody extends Admission {
  rawBody: Buffer;
}

export interface UploadSettings extends AdmissionSettings {
  bodyLimitBytes: number;
  /** True once the process is about to stop. */
  isStopping(): boolean;
}

/**
 * Admits a request, reads its body, and admits it once more: whoever sends decides how long that takes, and meanwhile
 * the user may be banned, the key deleted or its time be over.
 * @param presented the key as the client sent it, undefined when it sent none.
 * @param done called once.
 */
export const readAdmitted = (
  settings: UploadSettings,
  request: IncomingMessage,
  presented: string | undefined,
  done: (read: AdmittedBody | Refusal) => void,
): void => {
  const before = admitRequest(settings, request, presented);
  if (isRefusal(before)) {
    done(before);
    return;
  }
  if (settings.isStopping()) {
    done({ code: "shutting-down" });
    return;
  }
  readBody(request, settings.bodyLimitBytes, (rawBody) => {
    if (!Buffer.isBuffer(rawBody)) {
      done(rawBody as Refusal);
      return;
    }
    const admission = admitRequest(settings, request, presented);
    done(isRefusal(admission) ? admission : { ...admission, rawBody });
  });
};
