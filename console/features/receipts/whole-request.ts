import type { BodyWire } from "@tollgate/contract/api/bodies";

/** A stored request that can be sent again. */
export interface WholeRequest {
  path: string;
  text: string;
}

/** The request, if all of it is stored and it is JSON; undefined otherwise. */
export const wholeRequestOf = ({ path, request }: BodyWire): WholeRequest | undefined => {
  const { text, is_cut: isCut, content_type: type } = request;
  return path === undefined || text === undefined || text === "" || isCut || !type.endsWith("json")
    ? undefined
    : { path, text };
};
