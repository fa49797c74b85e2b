import { type ApiKey, getApiKey } from "@tollgate/contract/api/api-keys";
import { getApiKeySummary, type OwnedKeySummary } from "@tollgate/contract/api/user-api-keys";
import { isUnknownCall, RefusedError } from "../../lib/api-client";
import { callEndpoint } from "../../lib/call-endpoint";

/** A key on its page; with the owner's name, it is another user's. */
export type ShownKey = ApiKey | OwnedKeySummary;

/** A key by its id: one's own, or for an administrator that of any visible user. */
export const anyApiKeyQuery = (id: number, isAdmin: boolean) => ({
  queryKey: [getApiKey.reads, getApiKeySummary.path, id, isAdmin],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ShownKey> => {
    const call = { params: { id } };
    try {
      return await callEndpoint(getApiKey, call, signal);
    } catch (refusal) {
      if (!isAdmin || !(refusal instanceof RefusedError)) throw refusal;
      return callEndpoint(getApiKeySummary, call, signal).catch((error: unknown) => {
        // A server without the call refuses others' keys.
        throw isUnknownCall(error) ? refusal : error;
      });
    }
  },
  staleTime: 0,
  gcTime: 0,
});
