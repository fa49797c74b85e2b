import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { changeRow } from "../../../lib/growing-list";
import { useMutation } from "../../../lib/use-mutation";
import { CHANNEL_LIST } from "./list-channels";

/** DELETE /api/channel/{id}/ */
export const useDeleteChannel = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      changeRow(
        queryClient,
        CHANNEL_LIST,
        id,
        () => callApi("DELETE", `/api/channel/${id}/`),
        () => "deleted",
      ),
  });
};
