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
}

/** Who asks, and may they, from there? */
export const admitRequest = (
  { directory, now, addressOf }: AdmissionSettings,
  request: IncomingMessage,
  presented: PresentedKey,
): Admission | Refusal => {
  return admit(directory, presented, Math.floor(now() / 1000), addressOf, request);
};
