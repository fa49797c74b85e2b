import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { UPSTREAM_PROTOCOLS, VERTEX_PROTOCOLS } from "@tollgate/protocols/protocols";
import type { VendorRoute } from "@tollgate/vendors/define-vendor";
import type { UpstreamTarget } from "../ports/directory";
import { azurePath, deploymentOf, hasStreamOptions } from "./azure-address";

/*
 * Functions for the addressing of a vendor's route (VendorRoute.addressing): the differences between vendors that are
 * more than data.
 */

/** The end of Cohere's OpenAI-compatible addresses, next to which its own API is served. */
const COHERE_COMPATIBLE = /\/compatibility(?:\/v1)?$/;

/** The end of Model Studio's OpenAI-compatible addresses, next to which its own API is served. */
const MODEL_STUDIO_COMPATIBLE = /\/compatible-mode(?:\/v1)?$/;

/** The protocol of a route. */
export const protocolOf = ({ protocol, addressing }: VendorRoute): UpstreamProtocol =>
  (addressing === "vertex" ? VERTEX_PROTOCOLS[protocol] : undefined) ?? UPSTREAM_PROTOCOLS[protocol];

/**
 * The path of the upstream request.
 * @param path an operation's path below a base address, as its protocol names it.
 * @param model the upstream's model name, for vendors whose paths contain it.
 */
export const upstreamPath = (entry: UpstreamTarget, path: string, model = ""): string => {
  switch (entry.route.addressing) {
    case "azure-deployments":
      return azurePath(entry, path, deploymentOf(entry.channel, model));
    case "cohere":
      return path.startsWith("/v2/")
        ? entry.basePath.replace(COHERE_COMPATIBLE, "") + path
        : pathBelow(entry, path);
    case "model-studio":
      return path.startsWith("/api/v1/")
        ? entry.basePath.replace(MODEL_STUDIO_COMPATIBLE, "") + path
        : pathBelow(entry, path);
    case "ark":
    case "minimax":
    case "vertex":
    case undefined:
      return pathBelow(entry, path);
  }
};

const pathBelow = ({ basePath, hasVersion }: UpstreamTarget, path: string): string =>
  basePath + (hasVersion ? path.replace(/^\/v1(?:beta)?(?=\/)/, "") : path);

/** Whether the request of a stream may ask for its usage. */
export const takesStreamOptions = (entry: UpstreamTarget): boolean =>
  entry.route.addressing !== "azure-deployments" || hasStreamOptions(entry);
