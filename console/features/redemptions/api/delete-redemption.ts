import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { dropRow } from "../../../lib/growing-list";
import { REDEMPTION_LIST } from "./list-redemptions";

/** DELETE /api/redemption/{id}/ */
export const useDeleteRedemption = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("DELETE", `/api/redemption/${id}/`),
    onSuccess: (_answer, id) => dropRow(queryClient, REDEMPTION_LIST, id),
  });
};
