import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { dropRow } from "../../../lib/growing-list";
import { CHANNEL_LIST } from "./list-channels";

/** DELETE /api/channel/{id}/ */
export const useDeleteChannel = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("DELETE", `/api/channel/${id}/`),
    onSuccess: (_answer, id) => dropRow(queryClient, CHANNEL_LIST, id),
  });
};
