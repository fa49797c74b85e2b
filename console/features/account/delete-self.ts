import { deleteSelf } from "@tollgate/contract/api/own-account";
import { logOut } from "@tollgate/contract/api/session";
import { callEndpoint } from "../../lib/call-endpoint";
import { useMutation } from "../../lib/use-mutation";

/** Deletes one's own account and signs out: some servers keep the session cookie of a deleted account valid. */
export const useDeleteSelf = () =>
  useMutation({
    mutationFn: async () => {
      await callEndpoint(deleteSelf, {});
      await callEndpoint(logOut, {}).catch(() => undefined);
    },
  });
