import { queryOptions } from "@tanstack/react-query";
import { type BodyWire, bodyReader } from "@tollgate/contract/management/body";
import { callApi, RefusedError, UnreadableError } from "../../../lib/api-client";

/** The body is undefined where the server has none, or none for this person. */
interface BodyAnswer {
  body: BodyWire | undefined;
}

/** GET /api/log/body for root, GET /api/log/self/body for one's own. */
export const bodyQuery = (requestId: string, isRoot: boolean) =>
  queryOptions({
    queryKey: ["receipts", "body", isRoot, requestId],
    queryFn: async ({ signal }): Promise<BodyAnswer> => {
      try {
        const path = isRoot ? "/api/log/body" : "/api/log/self/body";
        const { data } = await callApi("GET", path, { query: { request_id: requestId }, signal });
        const parsed = bodyReader.safeParse(data);
        if (!parsed.success) throw new UnreadableError("no body in the answer");
        return { body: parsed.data };
      } catch (error) {
        if (error instanceof RefusedError) return { body: undefined };
        throw error;
      }
    },
    // What was said stays as it was, and each reading of root's is written down.
    staleTime: Number.POSITIVE_INFINITY,
  });
