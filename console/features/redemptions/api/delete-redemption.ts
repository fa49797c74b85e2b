import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { changeRow } from "../../../lib/growing-list";
import { useMutation } from "../../../lib/use-mutation";
import { REDEMPTION_LIST } from "./list-redemptions";

/** DELETE /api/redemption/{id}/ */
export const useDeleteRedemption = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      changeRow(
        queryClient,
        REDEMPTION_LIST,
        id,
        () => callApi("DELETE", `/api/redemption/${id}/`),
        () => "deleted",
      ),
  });
};
