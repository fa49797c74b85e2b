import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import type { Options } from "../../state/options";
import { Failure } from "../failure";

/** The site that passkeys belong to (https://www.w3.org/TR/webauthn-3/#relying-party). */
export interface RelyingParty {
  /** Its domain: passkeys of another one are not offered here. */
  id: string;
  /** The only address of pages that may use them. */
  origin: string;
}

type Addressed = Pick<Options, "serverAddress">;

const isLocal = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

/**
 * The relying party by the option ServerAddress: never by a request, which may name any host.
 * @returns undefined where browsers allow no passkeys: without HTTPS, and for an address without a domain.
 */
export const findRelyingParty = (options: Addressed): RelyingParty | undefined => {
  const text = options.serverAddress();
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, origin } = new URL(text);
  const isSafe = protocol === "https:" || (protocol === "http:" && isLocal(hostname));
  return isSafe && isIP(hostname) === 0 && !hostname.startsWith("[") ? { id: hostname, origin } : undefined;
};

/** @throws Failure where browsers allow no passkeys, or the page is at another address. */
export const relyingPartyFor = (options: Addressed, { headers }: FastifyRequest): RelyingParty => {
  const party = findRelyingParty(options);
  if (!party) throw new Failure("passkey-address", { address: options.serverAddress() });
  if (headers.origin !== undefined && headers.origin !== party.origin)
    throw new Failure("passkey-elsewhere", { address: party.origin });
  return party;
};
