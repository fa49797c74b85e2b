import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";

/** PUT /api/prices/lock */
export const useLockPrice = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { model: string; is_locked: boolean }) => callApi("PUT", "/api/prices/lock", { body }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ["options"] }),
  });
};
