import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import type { StreamPart, StreamReader } from "@tollgate/contract/relay/stream";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { withKind } from "@tollgate/protocols/shared/errors/classify-error";
import { findErrorKind, type Vendor, type VendorRoute } from "@tollgate/vendors/define-vendor";

/** One per route and protocol, shared by all channels. */
const adapted = new WeakMap<VendorRoute, Map<string, UpstreamProtocol>>();

/**
 * A protocol in one vendor's variant: with the vendor's meaning of its error codes, and without usage that the vendor
 * invents.
 */
export const adaptProtocol = (
  protocol: UpstreamProtocol,
  route: VendorRoute,
  vendor: Vendor,
): UpstreamProtocol => {
  const byName = adapted.get(route) ?? new Map<string, UpstreamProtocol>();
  const known = byName.get(protocol.name);
  if (known) return known;
  const named = withErrorKinds(protocol, vendor);
  const fitting = route.reportsUsage === false ? withoutUsage(named) : named;
  adapted.set(route, byName.set(protocol.name, fitting));
  return fitting;
};

const mapReader =
  (create: () => StreamReader, map: (part: StreamPart) => StreamPart[]): (() => StreamReader) =>
  () => {
    const reader = create();
    return {
      push: (event, data) => reader.push(event, data).flatMap(map),
      pushParsed: reader.pushParsed && ((event, body) => reader.pushParsed?.(event, body).flatMap(map) ?? []),
      end: () => reader.end().flatMap(map),
      get hasStopped() {
        return reader.hasStopped;
      },
    };
  };

const withErrorKinds = (protocol: UpstreamProtocol, vendor: Vendor): UpstreamProtocol => {
  const nameKind = (error: UpstreamError): UpstreamError => {
    const kind = findErrorKind(vendor, error.code);
    return kind === undefined ? error : withKind(error, kind);
  };
  const { passThrough } = protocol;
  return {
    ...protocol,
    readError: (status, headers, body) => nameKind(protocol.readError(status, headers, body)),
    createStreamReader: mapReader(protocol.createStreamReader, (part) => [
      part.kind === "error" ? { kind: "error", error: nameKind(part.error) } : part,
    ]),
    passThrough: passThrough && {
      ...passThrough,
      inspectEvent: (data) => {
        const observation = passThrough.inspectEvent(data);
        return observation.error ? { ...observation, error: nameKind(observation.error) } : observation;
      },
    },
  };
};

const withoutUsage = (protocol: UpstreamProtocol): UpstreamProtocol => {
  const { passThrough } = protocol;
  return {
    ...protocol,
    readUsage: () => NO_USAGE,
    readResponse: (body) => {
      const response = protocol.readResponse(body);
      return response && { ...response, usage: NO_USAGE };
    },
    createStreamReader: mapReader(protocol.createStreamReader, (part) =>
      part.kind === "usage" ? [] : [part],
    ),
    passThrough: passThrough && {
      ...passThrough,
      inspectEvent: (data) => {
        const observation = passThrough.inspectEvent(data);
        return observation.usage ? { ...observation, usage: undefined } : observation;
      },
    },
  };
};
