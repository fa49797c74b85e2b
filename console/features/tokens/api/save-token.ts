import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import type { TokenBody } from "../token-form";
import { TOKENS } from "./list-tokens";

/** POST /api/token/, or PUT /api/token/ for a body with an id. */
export const useSaveToken = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: TokenBody | (TokenBody & { id: number })) =>
      callApi("id" in body ? "PUT" : "POST", "/api/token/", { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: TOKENS }),
  });
};
