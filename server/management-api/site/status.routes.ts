import { listConnectTemplates } from "@tollgate/contract/api/connect-templates";
import { getAbout, getHomeContent, getNotice } from "@tollgate/contract/api/site-texts";
import { getStatus, LIST_EXTRAS, status } from "@tollgate/contract/api/status";
import { parseConnectTemplates } from "@tollgate/contract/management/connect-templates";
import { CONTRACT_VERSION } from "@tollgate/contract/version";
import { statusCurrency } from "../../state/display-currency";
import { storesBodies } from "../../state/stores-bodies";
import { implement } from "../route";
import { findRelyingParty } from "../sign-in/relying-party";

/** Public status and content (contract section 1.1), and further content for signed-in people. */
export const statusRoutes = [
  implement(getStatus, ({ services: { options, offeredProviders, rootSetup, startTime, now } }) =>
    status.schema.parse({
      version: CONTRACT_VERSION,
      start_time: startTime,
      list_queries: true,
      list_extras: LIST_EXTRAS.join(" "),
      ...options.publicValues(),
      ...statusCurrency(options, now()),
      ...(storesBodies(options) ? { body_log: true } : {}),
      ...(options.isOn("PlansEnabled") ? { plans: true } : {}),
      ...(options.isOn("RegistrationCodesEnabled") ? { registration_codes: true } : {}),
      ...(options.hasTerms
        ? {
            terms_version: options.terms.version,
            user_agreement: options.terms.hasAgreement,
            privacy_policy: options.terms.hasPolicy,
          }
        : {}),
      ...(options.isOn("PasskeyLoginEnabled") && findRelyingParty(options) ? { passkey_login: true } : {}),
      ...(offeredProviders.list().length > 0 ? { sign_in_providers: [...offeredProviders.list()] } : {}),
      // Shows a stranger that the gateway is new, which is harmless: the code cannot be guessed.
      ...(rootSetup.pendingUserId === undefined ? {} : { setup_pending: true }),
    }),
  ),
  implement(listConnectTemplates, ({ services }) => {
    const templates = parseConnectTemplates(services.options.text("ConnectTemplates"));
    return "fault" in templates ? [] : [...templates];
  }),
  implement(getNotice, ({ services }) => services.options.text("Notice")),
  implement(getAbout, ({ services }) => services.options.text("About")),
  implement(getHomeContent, ({ services }) => services.options.text("HomePageContent")),
];
