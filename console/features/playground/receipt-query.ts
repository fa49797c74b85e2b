import { queryOptions } from "@tanstack/react-query";
import { getOwnReceipt } from "@tollgate/contract/api/receipts";
import { callEndpoint } from "../../lib/call-endpoint";

/** A charge is stored before its answer ends, and its receipt a moment later. */
const RETRIES = 6;
const RETRY_MS = 500;

/** The receipt of one's own request, which says what it cost. Requests that reached no model may have none. */
export const ownReceiptQuery = (requestId: string) =>
  queryOptions({
    queryKey: ["receipts", "playground", requestId],
    queryFn: ({ signal }) => callEndpoint(getOwnReceipt, { query: { request_id: requestId } }, signal),
    enabled: requestId !== "",
    staleTime: 60_000,
    retry: RETRIES,
    retryDelay: RETRY_MS,
    meta: { silent: true },
  });
