import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { CreateTokenBody } from "@tollgate/contract/control/token";
import { callApi } from "../../../lib/api-client";
import { TOKENS } from "./list-tokens";

/** POST /api/token/, or PUT /api/token/ for a body with an id. */
export const useSaveToken = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateTokenBody | (CreateTokenBody & { id: number })) =>
      callApi("id" in body ? "PUT" : "POST", "/api/token/", { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: TOKENS }),
  });
};
