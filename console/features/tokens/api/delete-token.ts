import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { changeRow } from "../../../lib/growing-list";
import { useMutation } from "../../../lib/use-mutation";
import { TOKEN_LIST } from "./list-tokens";

/** DELETE /api/token/{id}/ */
export const useDeleteToken = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      changeRow(
        queryClient,
        TOKEN_LIST,
        id,
        () => callApi("DELETE", `/api/token/${id}/`),
        () => "deleted",
      ),
  });
};
