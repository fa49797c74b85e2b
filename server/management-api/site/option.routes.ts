import type { IncomingMessage } from "node:http";
import { changeOption, listOptions } from "@tollgate/contract/api/options";
import { decidesAccess, isSecretOption, mayChangeOption } from "@tollgate/contract/options/option-rights";
import { declares, isOptionKey, type OptionKey } from "@tollgate/contract/options/options";
import { isRoot } from "@tollgate/contract/values/roles";
import { audit } from "../audit";
import { Failure } from "../failure";
import { implement, type RouteContext } from "../route";
import type { Services } from "../services";
import { checkPresence, hasSession } from "../sign-in/fresh-sign-in";
import { endUnsafeSessions, hasSecondFactor } from "../sign-in/second-factor";

const isPicture = (key: string): boolean => isOptionKey(key) && declares(key, "isPicture");

/** Whether the calling console came over HTTPS, by its browser or a trusted proxy: it shows no http: pictures. */
const isPageHttps = (request: IncomingMessage, { addresses }: Services): boolean =>
  addresses.isHttps(request) || request.headers.origin?.startsWith("https:") === true;

const REQUIREMENT = "SecondFactorRequired" satisfies OptionKey;

/** @throws Failure where the owner of a session would have to be at the browser, and is not. */
const checkSession = (
  { services, caller, request }: Pick<RouteContext<"admin", unknown>, "services" | "caller" | "request">,
  key: string,
): void => {
  if (!hasSession(services, caller, request)) throw new Failure("option-needs-session", { key });
  checkPresence(services, caller, request);
};

/** The site's settings. */
export const optionRoutes = [
  implement(listOptions, ({ services, caller }) => {
    const options = services.options.list();
    return isRoot(caller.role) ? options : options.filter(({ key }) => isOptionKey(key));
  }),

  implement(changeOption, async (context) => {
    const { services, caller, request } = context;
    const { key, value, before } = context.body;
    if (!mayChangeOption(context.rank, key)) throw new Failure("option-root-only", { key });
    if (isPicture(key) && /^http:/i.test(value.trim()) && isPageHttps(request.raw, services))
      throw new Failure("option-picture-plain", { key });
    if (decidesAccess(key)) checkSession(context, key);
    // A secret is never shown, and a comparison would reveal it.
    if (before !== undefined && isSecretOption(key)) throw new Failure("invalid-parameter", {}, 400);
    // Root would be signed out by this very change.
    if (key === REQUIREMENT && value !== "off" && !services.operator.makes(request.raw))
      if (!(await hasSecondFactor(services, caller.id))) throw new Failure("second-factor-first");
    await services.options.put(key, value, before);
    if (key === REQUIREMENT) await endUnsafeSessions(services);
    await audit(services, context, "option.update", key, isSecretOption(key) ? {} : { value });
    return undefined;
  }),
];
