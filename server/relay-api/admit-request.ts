import type { IncomingMessage } from "node:http";
import { type Admission, admit, type PresentedKey } from "@tollgate/relay/admission/admit";
import type { Directory, Refusal } from "@tollgate/relay/ports";

/** What admitting a request needs of the gateway. */
export interface AdmissionSettings {
  directory: Directory;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The caller's address. */
  addressOf(request: IncomingMessage): string;
  /**
   * Waits for what other nodes have changed until now; undefined where there are none. However many wait, it is asked for only a
   * few times a second. It says whether they are known in time.
   */
  catchUp: (() => Promise<boolean>) | undefined;
}

/** What a key looks like without its "sk-" (contract section 3.1). */
const KEY = /^[0-9A-Za-z]{48}$/;

/** Whether a key that was refused may be one that another node has made a moment ago. */
export const mayBeNew = (refusal: Refusal, { secret }: PresentedKey): boolean =>
  refusal.code === "token-invalid" && KEY.test(secret);

/** Who asks, and may they, from there? */
export const admitRequest = (
  { directory, now, addressOf }: AdmissionSettings,
  request: IncomingMessage,
  presented: PresentedKey,
): Admission | Refusal => {
  return admit(directory, presented, Math.floor(now() / 1000), addressOf, request);
};
