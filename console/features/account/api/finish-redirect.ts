import { queryOptions } from "@tanstack/react-query";
import type { SignInMethodName } from "@tollgate/contract/sign-in/methods";
import i18next from "i18next";
import { callApi } from "../../../lib/api-client";
import { notify } from "../../../lib/notify";
import { rememberUser } from "../../../lib/session";
import { readLoggedInUser } from "./log-in";

/** How often the call is repeated before the person is sent away with its message. */
const RETRIES = 3;

/** The wait before each retry grows by this much (specification section 4). */
const RETRY_STEP_MS = 2000;

/**
 * GET /api/oauth/<method>?code=&state=. A query and not a mutation: a code works once, so it must not be sent a
 * second time when the page is drawn again.
 * @returns where to go: the settings when the account was bound to the logged-in one, else home, logged in.
 */
export const redirectLoginQuery = (method: SignInMethodName, code: string, state: string) =>
  queryOptions({
    queryKey: ["redirect-login", method, code, state],
    queryFn: async (): Promise<"/setting" | "/"> => {
      const { message, data } = await callApi("GET", `/api/oauth/${method}`, { query: { code, state } });
      if (message === "bind") {
        notify.success(i18next.t("oauth.bound"));
        return "/setting";
      }
      rememberUser(readLoggedInUser(data));
      notify.success(i18next.t("login.done"));
      return "/";
    },
    // Without a code there is nothing that could succeed later.
    retry: (failures) => code !== "" && failures < RETRIES,
    retryDelay: (failures) => (failures + 1) * RETRY_STEP_MS,
    staleTime: Number.POSITIVE_INFINITY,
  });
