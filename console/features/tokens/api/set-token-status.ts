import { useQueryClient } from "@tanstack/react-query";
import type { Envelope } from "@tollgate/contract/management/envelope";
import { readToken, type Token } from "@tollgate/contract/management/token";
import { callApi } from "../../../lib/api-client";
import { changeRow } from "../../../lib/growing-list";
import { useMutation } from "../../../lib/use-mutation";
import { TOKEN_LIST } from "./list-tokens";

/** PUT /api/token/?status_only=true. The row adopts the status that the server answers. */
export const useSetTokenStatus = (id: number) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (status: number) =>
      changeRow<Token, Envelope>(
        queryClient,
        TOKEN_LIST,
        id,
        () => callApi("PUT", "/api/token/", { query: { status_only: true }, body: { id, status } }),
        ({ data }) => ({ status: readToken(data)?.status || status }),
      ),
    scope: { id: `token ${id}` },
  });
};
