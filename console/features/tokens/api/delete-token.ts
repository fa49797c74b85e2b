import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { dropRow } from "../../../lib/growing-list";
import { TOKEN_LIST } from "./list-tokens";

/** DELETE /api/token/{id}/ */
export const useDeleteToken = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("DELETE", `/api/token/${id}/`),
    onSuccess: (_answer, id) => dropRow(queryClient, TOKEN_LIST, id),
  });
};
