import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { logOut } from "@tollgate/contract/api/session";
import { useTranslation } from "react-i18next";
import { notify } from "../lib/notify";
import { clearCache } from "../lib/query-client";
import { forgetUser } from "../lib/session";
import { useEndpoint } from "../lib/use-endpoint";

/** Ends the session and goes to the login page. */
export const useSignOut = (): (() => Promise<void>) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  // The page forgets the user even if the call fails.
  const leave = useEndpoint(logOut, { isSilent: true });
  const queryClient = useQueryClient();
  return async () => {
    await leave.mutateAsync({}).catch(() => undefined);
    forgetUser();
    notify.success(t("logout.done"));
    await navigate({ to: "/login" });
    clearCache(queryClient);
  };
};
