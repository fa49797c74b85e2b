import { useMutation } from "@tanstack/react-query";
import type { User } from "@tollgate/contract/management/user";
import { callApi } from "../../../lib/api-client";
import { readLoggedInUser } from "./log-in";

/** GET /api/oauth/wechat?code= */
export const useLogInWithWechat = () =>
  useMutation({
    mutationFn: async (code: string): Promise<User> =>
      readLoggedInUser((await callApi("GET", "/api/oauth/wechat", { query: { code } })).data),
  });
