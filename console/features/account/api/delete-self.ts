import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";

/** DELETE /api/user/self, and then out: some servers leave the session cookie of a deleted account alive. */
export const useDeleteSelf = () =>
  useMutation({
    mutationFn: async () => {
      await callApi("DELETE", "/api/user/self");
      await callApi("GET", "/api/user/logout").catch(() => undefined);
    },
  });
