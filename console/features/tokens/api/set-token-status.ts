import { useMutation, useQueryClient } from "@tanstack/react-query";
import { readToken, type Token } from "@tollgate/contract/management/token";
import { callApi } from "../../../lib/api-client";
import { patchRow } from "../../../lib/growing-list";
import { TOKEN_LIST } from "./list-tokens";

/** PUT /api/token/?status_only=true. The row adopts the status that the server answers. */
export const useSetTokenStatus = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { id: number; status: number }) =>
      callApi("PUT", "/api/token/", { query: { status_only: true }, body }),
    onSuccess: ({ data }, { id, status }) =>
      patchRow<Token>(queryClient, TOKEN_LIST, id, { status: readToken(data)?.status || status }),
  });
};
