import { changeApiKey, getApiKey } from "@tollgate/contract/api/api-keys";
import { callEndpoint } from "../../lib/call-endpoint";
import { useRepeatReads } from "../../lib/use-endpoint";
import { useMutation } from "../../lib/use-mutation";
import type { AtField } from "../../lib/use-refusals";
import { type ApiKeyFields, toApiKeyChange } from "./api-key-form";

interface KeyChange {
  id: number;
  fields: ApiKeyFields;
  /** The form's initial values. */
  before: ApiKeyFields;
}

/**
 * Saves the form of a stored key. The key is read again first: the body contains all of it, and an outdated quota would
 * refund the usage since the form was opened.
 */
export const useUpdateApiKey = ({ atField }: AtField) => {
  const repeatReads = useRepeatReads();
  return useMutation({
    mutationFn: async ({ id, fields, before }: KeyChange) => {
      const now = await callEndpoint(getApiKey, { params: { id } });
      return callEndpoint(changeApiKey, { body: toApiKeyChange(now, fields, before) });
    },
    onSuccess: () => repeatReads(changeApiKey),
    meta: { atField },
  });
};
