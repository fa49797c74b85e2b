import type { UpstreamTarget } from "../ports/directory";
import type { UpstreamRequest } from "../ports/transport";
import type { PreparedOverrides } from "../routing/prepare-overrides";

/** A request's headers as node:http gives them: names in lower case. */
export type ClientHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Longer values are no client's list of features, and would only burden the upstream. */
const MAX_VALUE_LENGTH = 4096;

const isPrintable = (value: string): boolean => /^[\x20-\x7e]+$/.test(value);

/**
 * Adds the client's headers that the upstream's protocol or vendor lists (`clientHeaders`), such as those that enable
 * beta features. The channel's own headers take precedence; all other client headers (credential, cookies,
 * organisation) stay with the gateway.
 */
export const passClientHeaders = (
  given: UpstreamRequest,
  { protocol, vendor, overrides }: UpstreamTarget,
  clientHeaders: ClientHeaders,
): UpstreamRequest => {
  const request = overrides === undefined ? given : withOverrides(given, overrides, clientHeaders);
  const passed = {
    ...named(protocol.clientHeaders, clientHeaders),
    ...named(vendor.clientHeaders, clientHeaders),
  };
  // Most requests have none: avoids a copy.
  for (const _ in passed) return { ...request, headers: { ...passed, ...request.headers } };
  return request;
};

/** The channel's own headers that contain values of client headers; those that the client did not send are not set. */
const withOverrides = (
  request: UpstreamRequest,
  { clientHeaders: templates = [], always }: PreparedOverrides,
  clientHeaders: ClientHeaders,
): UpstreamRequest => {
  const headers: Record<string, string> = {};
  const applied = [...(request.applied ?? []), ...always];
  for (const { name, pieces } of templates) {
    let value: string | undefined = "";
    for (const { text, header } of pieces) {
      const passed: string | undefined = header === undefined ? "" : readHeader(clientHeaders, header);
      value = value === undefined || passed === undefined ? undefined : value + text + passed;
    }
    if (value === undefined) continue;
    headers[name] = value;
    applied.push(`header:${name}`);
  }
  const isSame = Object.keys(headers).length === 0;
  return { ...request, applied, headers: isSame ? request.headers : { ...request.headers, ...headers } };
};

/** A client's header in a form that may be sent on; undefined when it is missing. */
const readHeader = (headers: ClientHeaders, name: string): string | undefined => {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  const text = typeof value === "string" ? value : value?.join(", ");
  return text === undefined || text.length > MAX_VALUE_LENGTH || !isPrintable(text) ? undefined : text;
};

const named = (
  names: readonly string[] | undefined,
  headers: ClientHeaders,
): Record<string, string> | undefined => {
  let found: Record<string, string> | undefined;
  for (const name of names ?? []) {
    const text = readHeader(headers, name);
    if (text === undefined) continue;
    found ??= {};
    found[name] = text;
  }
  return found;
};
