import { queryOptions } from "@tanstack/react-query";
import { signInByRedirect } from "@tollgate/contract/api/sign-in";
import type { SignInMethod } from "@tollgate/contract/sign-in/methods";
import i18next from "i18next";
import { callEndpoint } from "../../lib/call-endpoint";
import { notify } from "../../lib/notify";
import { rememberUser } from "../../lib/session";

/** How often the call is repeated before the person is sent away with its message. */
const RETRIES = 3;

/** The wait before each retry grows by this much (specification section 4). */
const RETRY_STEP_MS = 2000;

/**
 * A query and not a mutation: a code works once, so it must not be sent a
 * second time when the page is drawn again.
 * @returns where to go: the settings when the account was bound to the logged-in one, else home, logged in.
 */
export const redirectLoginQuery = (method: SignInMethod, code: string, state: string) =>
  queryOptions({
    queryKey: ["redirect-login", method.name, code, state],
    queryFn: async (): Promise<"/setting" | "/"> => {
      const outcome = await callEndpoint(signInByRedirect(method), { query: { code, state } });
      if ("isBound" in outcome) {
        notify.success(i18next.t("oauth.bound"));
        return "/setting";
      }
      rememberUser(outcome.user);
      notify.success(i18next.t("login.done"));
      return "/";
    },
    // Without a code there is nothing that could succeed later.
    retry: (failures) => code !== "" && failures < RETRIES,
    retryDelay: (failures) => (failures + 1) * RETRY_STEP_MS,
    staleTime: Number.POSITIVE_INFINITY,
  });
