import { queryOptions } from "@tanstack/react-query";
import { type BodyWire, getBody, getOwnBody } from "@tollgate/contract/api/bodies";
import { type Log, listLogs, listOwnLogs } from "@tollgate/contract/api/logs";
import { getOwnReceipt, getReceipt, type Receipt } from "@tollgate/contract/api/receipts";
import { getOwnTranslation, getTranslation } from "@tollgate/contract/api/translations";
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

/** What the translation changed: all of any request for root, of one's own fields otherwise. */
export const translationQuery = (requestId: string, isRoot: boolean) =>
  queryOptions({
    queryKey: ["receipts", "translation", isRoot, requestId],
    queryFn: ({ signal }) =>
      callEndpoint(isRoot ? getTranslation : getOwnTranslation, { query: { request_id: requestId } }, signal),
    // It is made with the settings of today; the audit log names each reading by root.
    staleTime: 60_000,
    meta: { isExtra: true },
  });

/** Recent requests that are offered for a comparison. */
const MAX_SIMILAR = 8;

/** The latest other requests for the same model. */
export const similarQuery = ({ model_name: model, request_id: own }: Receipt, isAdmin: boolean) =>
  queryOptions({
    queryKey: ["logs", "similar", isAdmin, model, own],
    queryFn: async ({ signal }): Promise<Log[]> => {
      const query = { p: 0, model_name: model };
      const lines = await (isAdmin
        ? callEndpoint(listLogs, { query }, signal)
        : callEndpoint(listOwnLogs, { query }, signal));
      return lines.filter(({ requestId }) => requestId !== "" && requestId !== own).slice(0, MAX_SIMILAR);
    },
    meta: { silent: true },
  });
