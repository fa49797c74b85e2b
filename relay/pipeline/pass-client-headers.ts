import type { UpstreamRequest, UpstreamTarget } from "../ports";

/** A request's headers as node:http gives them: names in lower case. */
export type ClientHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Longer values are nobody's list of features, and would only burden the upstream. */
const MAX_VALUE_LENGTH = 4096;

const isPrintable = (value: string): boolean => /^[\x20-\x7e]+$/.test(value);

/**
 * Adds those of the client's headers that the upstream's protocol or vendor names (`clientHeaders`): beta features work
 * with their header alone. What the channel itself sends goes before; everything else that a client sends (its
 * credential, its cookies, its organisation) stays with the gateway.
 */
export const passClientHeaders = (
  request: UpstreamRequest,
  { protocol, vendor }: UpstreamTarget,
  clientHeaders: ClientHeaders,
): UpstreamRequest => {
  const passed = {
    ...named(protocol.clientHeaders, clientHeaders),
    ...named(vendor.clientHeaders, clientHeaders),
  };
  // Most requests bring none: then nothing is copied.
  for (const _ in passed) return { ...request, headers: { ...passed, ...request.headers } };
  return request;
};

const named = (
  names: readonly string[] | undefined,
  headers: ClientHeaders,
): Record<string, string> | undefined => {
  let found: Record<string, string> | undefined;
  for (const name of names ?? []) {
    const value = headers[name];
    const text = typeof value === "string" ? value : value?.join(", ");
    if (text === undefined || text.length > MAX_VALUE_LENGTH || !isPrintable(text)) continue;
    found ??= {};
    found[name] = text;
  }
  return found;
};
