import { queryOptions } from "@tanstack/react-query";
import type { SignInNeed } from "@tollgate/contract/api/session";
import i18next from "i18next";
import { notify } from "../../lib/notify";
import { rememberUser } from "../../lib/session";
import type { CallbackAnswer, CallbackTarget } from "./callback-target";

type NextPage = { to: "/setting" | "/" } | { to: "/login"; search: { needs: SignInNeed } };

/** Number of retries before the user sees the error. */
const RETRIES = 3;

/** Increment of the delay before each retry (specification section 4). */
const RETRY_STEP_MS = 2000;

/**
 * A query and not a mutation: a code works once, so a re-render must not send it again.
 * @returns the next page: the settings if the account was bound to the logged-in one, the sign-in where it needs a second
 *   factor, else home, logged in.
 */
export const redirectLoginQuery = (target: CallbackTarget, answer: CallbackAnswer) =>
  queryOptions({
    queryKey: ["redirect-login", target.name, answer.code, answer.state],
    queryFn: async (): Promise<NextPage> => {
      const outcome = await target.finish(answer);
      if ("isBound" in outcome) {
        notify.success(i18next.t("oauth.bound"));
        return { to: "/setting" };
      }
      if ("needs" in outcome) return { to: "/login", search: { needs: outcome.needs } };
      rememberUser(outcome.user);
      notify.success(i18next.t("login.done"));
      return { to: "/" };
    },
    // Without a code, retries cannot succeed.
    retry: (failures) => answer.code !== "" && failures < RETRIES,
    retryDelay: (failures) => (failures + 1) * RETRY_STEP_MS,
    staleTime: Number.POSITIVE_INFINITY,
  });
