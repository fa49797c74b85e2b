import type { CallOf, Endpoint, Guard } from "@tollgate/contract/resource/endpoint";
import { callEndpoint, type OperatorApi, type OperatorCall } from "./operator-api";

/** More pages than any list has: an answer that never ends is a fault. */
const MAX_PAGES = 1_000_000;

/**
 * Reads a list to its end, page by page.
 * @param list answers a page of it
 * @throws OperatorRefused
 */
export const readPages = async <Row>(
  api: OperatorApi,
  list: Endpoint<string, Guard, "p", undefined, undefined, Row[]>,
  caller: Pick<OperatorCall, "userId"> = {},
): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const call = { query: { p: page } } as CallOf<typeof list>;
    const found = await callEndpoint(api, list, call, caller);
    if (found.length === 0) break;
    rows.push(...found);
  }
  return rows;
};
