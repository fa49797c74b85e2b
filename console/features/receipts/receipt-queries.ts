import { queryOptions } from "@tanstack/react-query";
import { type BodyWire, getBody, getOwnBody } from "@tollgate/contract/api/bodies";
import { getOwnReceipt, getReceipt, type Receipt } from "@tollgate/contract/api/receipts";
import { isUnknownCall, RefusedError } from "../../lib/api-client";
import { callEndpoint } from "../../lib/call-endpoint";

/** The receipt is undefined if the server has none, or none for this user. */
interface ReceiptAnswer {
  receipt: Receipt | undefined;
}

/** Any receipt for administrators, one's own otherwise. */
export const receiptQuery = (requestId: string, isAdmin: boolean) =>
  queryOptions({
    queryKey: ["receipts", isAdmin, requestId],
    queryFn: async ({ signal }): Promise<ReceiptAnswer> => {
      try {
        const call = { query: { request_id: requestId } };
        return { receipt: await callEndpoint(isAdmin ? getReceipt : getOwnReceipt, call, signal) };
      } catch (error) {
        // A server without a receipt rejects with a message or a status.
        if (error instanceof RefusedError || isUnknownCall(error)) return { receipt: undefined };
        throw error;
      }
    },
    // A receipt changes only when its request is refunded, which the administrator's own call repeats.
    staleTime: 60_000,
  });

/** The body is undefined if the server has none, or none for this user. */
interface BodyAnswer {
  body: BodyWire | undefined;
}

/** Any content for root, one's own otherwise. */
export const bodyQuery = (requestId: string, isRoot: boolean) =>
  queryOptions({
    queryKey: ["receipts", "body", isRoot, requestId],
    queryFn: async ({ signal }): Promise<BodyAnswer> => {
      try {
        const call = { query: { request_id: requestId } };
        return { body: await callEndpoint(isRoot ? getBody : getOwnBody, call, signal) };
      } catch (error) {
        if (error instanceof RefusedError) return { body: undefined };
        throw error;
      }
    },
    // The content never changes, and the audit log names each reading by root.
    staleTime: Number.POSITIVE_INFINITY,
  });
