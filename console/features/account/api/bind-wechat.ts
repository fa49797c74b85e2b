import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { selfQuery } from "../../../lib/self";

/** GET /api/oauth/wechat/bind?code= */
export const useBindWechat = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => callApi("GET", "/api/oauth/wechat/bind", { query: { code } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: selfQuery.queryKey }),
  });
};
