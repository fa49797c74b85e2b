import type { QueryClient } from "@tanstack/react-query";
import { CONTRACT_VERSION } from "@tollgate/contract/version";
import i18next from "i18next";
import { HttpError } from "../lib/api-client";
import { notify } from "../lib/notify";
import { reportError } from "../lib/report-error";
import { refreshStatus, showSite } from "../lib/status";

/** Version reported by unversioned builds of a server. */
const UNVERSIONED = "v0.0.0";

/** Runs on load (specification section 2): reads the server's status, stores it, and names the page after the site. */
export const startUp = async (queryClient: QueryClient): Promise<void> => {
  showSite();
  try {
    const status = await refreshStatus(queryClient);
    if (status.version !== CONTRACT_VERSION && status.version !== UNVERSIONED) {
      notify.notice(i18next.t("start.newVersion", { version: status.version }));
    }
  } catch (error) {
    // A server that limits its callers can be reached.
    if (error instanceof HttpError && error.status === 429) reportError(error);
    else notify.error(i18next.t("start.unreachable"));
  }
};
