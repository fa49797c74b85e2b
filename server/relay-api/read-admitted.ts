import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type Admission,
  isRefusal,
  type PresentedKey,
  splitPresented,
} from "@tollgate/relay/admission/admit";
import type { Refusal } from "@tollgate/relay/ports/client";
import type { RequestMemory } from "@tollgate/relay/ports/limits";
import { failRequest } from "../http/fail-request";
import { type AdmissionSettings, admitRequest, mayBeNew } from "./admit-request";
import type { BodyBytes } from "./body-bytes";
import { readBody } from "./read-body";
import type { RefusalLimits } from "./refusal-limits";

export interface AdmittedBody extends Admission {
  rawBody: Buffer;
  /** Counts the body's bytes. */
  memory: RequestMemory;
}

/** Why nothing can be charged: the disk takes nothing, or this node has lost touch with its database. */
export type ChargingFault = "storage-failing" | "node-not-admitting";

export interface UploadSettings extends AdmissionSettings {
  bodyLimitBytes: number;
  bodyBytes: BodyBytes;
  refusalLimits: RefusalLimits;
  reportError(error: Error): void;
  /** True once the process is about to stop. */
  isStopping(): boolean;
  /** The reason while charges cannot be stored: requests begun meanwhile might not be chargeable. */
  chargingFault(): ChargingFault | undefined;
}

/** Maximum length of a header in an error. */
const MAX_SHOWN_CHARACTERS = 64;

/** A key as it was presented, in its parts. */
interface KnownKey {
  presented: string;
  parts: PresentedKey;
}

/** A key, and the number of a channel, are shorter. */
const LONGEST_KNOWN = 256;
/** Size of the cache of keys. */
const SLOTS = 1024;
/**
 * Cache of admitted keys: most requests have one of a few. The index is computed from a key's last characters, which is
 * cheaper than hashing all of it: each request brings its key as a new string.
 */
const known: (KnownKey | undefined)[] = Array.from({ length: SLOTS }, () => undefined);

const slotOf = (presented: string): number => {
  const last = presented.length - 1;
  return (presented.charCodeAt(last) * 61 + presented.charCodeAt(last - 1)) % SLOTS || 0;
};

const partsOf = (presented: string | undefined): PresentedKey => {
  const found = presented === undefined ? undefined : known[slotOf(presented)];
  return found?.presented === presented && found ? found.parts : splitPresented(presented);
};

const remember = (presented: string | undefined, parts: PresentedKey): void => {
  if (presented === undefined || presented.length > LONGEST_KNOWN) return;
  const slot = slotOf(presented);
  if (known[slot]?.presented !== presented) known[slot] = { presented, parts };
};

/**
 * Admits a request, reads its body, and admits it again: reading may take long, and meanwhile the user may be banned,
 * the key deleted or expired.
 * @param presented the key as the client sent it, undefined when it sent none.
 * @param response the body takes up memory until it is over.
 * @param done called once, unless the client leaves before it is admitted; an error it throws ends only this request.
 * @param isAgain for the second attempt, because another node may have created the key at the time of the request.
 */
export const readAdmitted = (
  settings: UploadSettings,
  request: IncomingMessage,
  response: ServerResponse,
  presented: string | undefined,
  done: (read: AdmittedBody | Refusal) => void,
  isAgain = false,
): void => {
  const parts = partsOf(presented);
  const before = admitRequest(settings, request, parts);
  if (isRefusal(before)) {
    if (isAgain || !settings.catchUp || !mayBeNew(before, parts)) {
      done(before);
      return;
    }
    settings
      .catchUp()
      .then((isCaughtUp) => {
        if (response.destroyed) return;
        // Whether the key is valid is unknown: a client that is refused would stop trying.
        if (isCaughtUp) readAdmitted(settings, request, response, presented, done, true);
        else done({ code: "node-not-admitting" });
      })
      .catch((error: Error) => {
        settings.reportError(error);
        failRequest(response);
      });
    return;
  }
  remember(presented, parts);
  if (settings.isStopping()) {
    done({ code: "shutting-down" });
    return;
  }
  const fault = settings.chargingFault();
  if (fault) {
    done({ code: fault });
    return;
  }
  const { refusalLimits } = settings;
  const keyId = before.key.id;
  const limited = refusalLimits.check(keyId, request);
  if (limited) {
    done(limited);
    return;
  }
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    done({ code: "body-encoded", params: { encoding: encoding.slice(0, MAX_SHOWN_CHARACTERS) } });
    return;
  }
  const share = settings.bodyBytes.open(before.key.user.id);
  // The event comes once, and `once` would cost more.
  response.on("close", () => {
    share.release();
    if (response.headersSent) refusalLimits.ended(keyId, request, response.statusCode);
  });
  readBody(request, settings.bodyLimitBytes, share.take, (rawBody) => {
    try {
      if (!Buffer.isBuffer(rawBody)) {
        share.release();
        done(rawBody as Refusal);
        return;
      }
      const faultNow = settings.chargingFault();
      if (faultNow) {
        done({ code: faultNow });
        return;
      }
      const admission = admitRequest(settings, request, parts);
      if (isRefusal(admission)) {
        done(admission);
        return;
      }
      settings.noteUse?.(admission.key.id, request);
      done({ key: admission.key, pinned: admission.pinned, rawBody, memory: share });
    } catch (error) {
      settings.reportError(error as Error);
      failRequest(response);
    }
  });
};
