import { getAbout, getHomeContent, getNotice } from "@tollgate/contract/api/site-texts";
import { getStatus, status } from "@tollgate/contract/api/status";
import { CONTRACT_VERSION } from "@tollgate/contract/version";
import { storesBodies } from "../../state/stores-bodies";
import { implement } from "../route";

/** Public status and content (contract section 1.1). */
export const statusRoutes = [
  implement(getStatus, ({ services: { options, rootSetup, startTime } }) =>
    status.schema.parse({
      version: CONTRACT_VERSION,
      start_time: startTime,
      list_queries: true,
      ...options.publicValues(),
      ...(storesBodies(options) ? { body_log: true } : {}),
      ...(options.isOn("PlansEnabled") ? { plans: true } : {}),
      // Tells a stranger that the gateway is new, and gives nothing to try: the code cannot be guessed.
      ...(rootSetup.pendingUserId === undefined ? {} : { setup_pending: true }),
    }),
  ),
  implement(getNotice, ({ services }) => services.options.text("Notice")),
  implement(getAbout, ({ services }) => services.options.text("About")),
  implement(getHomeContent, ({ services }) => services.options.text("HomePageContent")),
];
