import type { IncomingMessage } from "node:http";
import { type Admission, admit, isRefusal, type PresentedKey } from "@tollgate/relay/pipeline/admit";
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
  const admission = admit(directory, presented, Math.floor(now() / 1000));
  if (isRefusal(admission) || !admission.key.networks) return admission;
  const address = addressOf(request);
  return admission.key.networks.has(address)
    ? admission
    : { code: "address-not-allowed", params: { address } };
};
