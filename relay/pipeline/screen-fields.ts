import type { UnsupportedFields } from "@tollgate/contract/management/unsupported-fields";
import { type AskedField, FEATURES } from "@tollgate/contract/relay/features";
import {
  type ClientProtocol,
  RequestInvalid,
  type UpstreamProtocol,
} from "@tollgate/contract/relay/protocol";
import { listAskedFields } from "@tollgate/protocols/shared/request/asked-fields";
import { listLeftOut } from "@tollgate/protocols/shared/request/left-out-fields";

/** Lists the fields of a request that its upstream's protocol cannot express. */
export const IGNORED_HEADER = "x-tollgate-ignored-fields";

/** Limits of the header: clients reject headers of several KiB. "..." stands for the rest. */
const MAX_NAMED = 40;
const MAX_NAME_LENGTH = 80;
const MAX_HEADER_LENGTH = 2048;
const MORE = "...";

const toHeaderName = (path: string): string => {
  const text = path.slice(0, MAX_NAME_LENGTH);
  return /^[\x21-\x2b\x2d-\x7e]+$/.test(text) ? text : encodeURIComponent(Buffer.from(text).toString());
};

/** The header's value. Names come from the client: a character that is not allowed in a header is escaped. */
export const toIgnoredHeader = (paths: readonly string[]): string => {
  const named: string[] = [];
  let length = 0;
  for (const path of paths) {
    const name = toHeaderName(path);
    length += name.length + 2;
    if (named.length === MAX_NAMED || length > MAX_HEADER_LENGTH) return [...named, MORE].join(", ");
    named.push(name);
  }
  return named.join(", ");
};

const refuse = ({ path }: AskedField): never => {
  throw new RequestInvalid({ code: "unsupported-field", field: path });
};

/**
 * Decides about the fields of a client's request that the body for an upstream of another protocol does not hold.
 * @param own the client's body. @param built the upstream's.
 * @param unsupported whether fields that would change the answer are left out or refused.
 * @returns the paths of the fields that are left out.
 * @throws RequestInvalid
 */
export const screenFields = (
  client: Pick<ClientProtocol, "fields" | "spelling">,
  own: Record<string, unknown>,
  upstream: Pick<UpstreamProtocol, "carries">,
  built: unknown,
  unsupported: UnsupportedFields,
): string[] => {
  const leftOut = listLeftOut(listAskedFields(own, client.fields, client.spelling), upstream.carries, built);
  return leftOut.map((field) => {
    const weight = FEATURES[field.feature];
    if (weight === "demand" || (weight === "wish" && unsupported === "refuse")) refuse(field);
    return field.path;
  });
};
