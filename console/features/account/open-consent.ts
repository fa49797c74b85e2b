import { getOauthState } from "@tollgate/contract/api/session";
import type { Status } from "@tollgate/contract/api/status";
import { type SignInMethod, stateQueryOf } from "@tollgate/contract/sign-in/methods";
import { callEndpoint } from "../../lib/call-endpoint";
import { reportError } from "../../lib/report-error";
import { serverAddress } from "../../lib/status";

/** The value that the method must return, so that this login cannot be finished in another browser. */
const stateFor = async (method: SignInMethod): Promise<string> =>
  (await callEndpoint(getOauthState, { query: stateQueryOf(method) })) ?? "";

/** @throws Error for an address that is no page, such as a script: a server may supply it. */
const checkPage = (page: URL): void => {
  if (page.protocol !== "https:" && page.protocol !== "http:") throw new Error(`not a page: ${page.href}`);
};

/** Leaves for a page that a server names. @throws as `checkPage` */
export const openPage = (page: URL): void => {
  checkPage(page);
  window.location.assign(page);
};

/** Opens a method's consent page, which redirects to /oauth/<method>. */
export const openConsent = async (method: SignInMethod, status: Status): Promise<void> => {
  const { name, entry } = method;
  if (entry.kind !== "redirect") return;
  try {
    const { address, query } = entry.consent(status, `${serverAddress(status)}/oauth/${name}`);
    const page = new URL(address);
    checkPage(page);
    for (const [key, value] of Object.entries({ ...query, state: await stateFor(method) }))
      page.searchParams.set(key, value);
    openPage(page);
  } catch (error) {
    reportError(error);
  }
};
