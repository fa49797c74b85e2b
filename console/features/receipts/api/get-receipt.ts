import { queryOptions } from "@tanstack/react-query";
import { type Receipt, receiptReader } from "@tollgate/contract/management/receipt";
import { callApi, HttpError, RefusedError, UnreadableError } from "../../../lib/api-client";

/** The receipt is undefined where the server has none, or none for this person. */
interface ReceiptAnswer {
  receipt: Receipt | undefined;
}

/** GET /api/log/receipt for administrators, GET /api/log/self/receipt for one's own. */
export const receiptQuery = (requestId: string, isAdmin: boolean) =>
  queryOptions({
    queryKey: ["receipts", isAdmin, requestId],
    queryFn: async ({ signal }): Promise<ReceiptAnswer> => {
      try {
        const path = isAdmin ? "/api/log/receipt" : "/api/log/self/receipt";
        const { data } = await callApi("GET", path, { query: { request_id: requestId }, signal });
        const parsed = receiptReader.safeParse(data);
        if (!parsed.success || parsed.data.request_id === "")
          throw new UnreadableError("no receipt in the answer");
        return { receipt: parsed.data };
      } catch (error) {
        // Whether the server refuses in words or by status: there is none to see.
        if (error instanceof RefusedError) return { receipt: undefined };
        if (error instanceof HttpError && error.status === 404) return { receipt: undefined };
        throw error;
      }
    },
    // What has happened stays as it was.
    staleTime: Number.POSITIVE_INFINITY,
  });
