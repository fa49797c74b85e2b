import type { IncomingMessage } from "node:http";
import { type Admission, admit, type PresentedKey } from "@tollgate/relay/admission/admit";
import type { Refusal } from "@tollgate/relay/ports/client";
import type { Directory } from "@tollgate/relay/ports/directory";

/** Dependencies of admitting requests. */
export interface AdmissionSettings {
  directory: Directory;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The caller's address. */
  addressOf(request: IncomingMessage): string;
  /** Notes that a key is used; absent where no one asks for it. */
  noteUse?(keyId: number, request: IncomingMessage): void;
  /**
   * Waits until earlier changes by other nodes are known; undefined without other nodes. Simultaneous calls share a few
   * queries per second. Resolves to false on a timeout.
   */
  catchUp: (() => Promise<boolean>) | undefined;
}

/** Format of a key without its "sk-" (contract section 3.1). */
const KEY = /^[0-9A-Za-z]{48}$/;

/** Whether another node may have created the refused key a moment ago. */
export const mayBeNew = (refusal: Refusal, { secret }: PresentedKey): boolean =>
  refusal.code === "token-invalid" && KEY.test(secret);

/** Identifies the caller, and checks their rights and address. @param check admitReader where only figures are read. */
export const admitRequest = (
  { directory, now, addressOf }: AdmissionSettings,
  request: IncomingMessage,
  presented: PresentedKey,
  check: typeof admit = admit,
): Admission | Refusal => {
  return check(directory, presented, Math.floor(now() / 1000), addressOf, request);
};
