import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import type { toCreateBody, toUpdateBody } from "../channel-form";
import { CHANNELS } from "./list-channels";

/** POST /api/channel/, or PUT /api/channel/ for a body with an id. */
export const useSaveChannel = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: ReturnType<typeof toCreateBody | typeof toUpdateBody>) =>
      callApi("id" in body ? "PUT" : "POST", "/api/channel/", { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: CHANNELS }),
  });
};
