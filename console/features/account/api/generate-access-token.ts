import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";

/** GET /api/user/token: replaces the system access token and answers the new one. */
export const useGenerateAccessToken = () =>
  useMutation({
    mutationFn: async (): Promise<string> => String((await callApi("GET", "/api/user/token")).data ?? ""),
  });
