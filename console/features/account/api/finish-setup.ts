import type { User } from "@tollgate/contract/api/user";
import type { SetupBody } from "@tollgate/contract/management/setup";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { readLoggedInUser } from "./log-in";

/** POST /api/setup: sets root's first password and logs in. */
export const useFinishSetup = () =>
  useMutation({
    mutationFn: async (body: SetupBody): Promise<User> =>
      readLoggedInUser((await callApi("POST", "/api/setup", { body })).data),
  });
