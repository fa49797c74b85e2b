import { confirmPresence } from "@tollgate/contract/api/session";
import { audit } from "../audit";
import { Failure } from "../failure";
import { implement, type Route } from "../route";
import { sessionReach } from "../session";
import { hasSession } from "./fresh-sign-in";
import { checkOwnPassword } from "./password-try";
import { createPresenceCookie, PRESENCE_COOKIE, PRESENCE_SECONDS } from "./presence";
import { findConfirmed, hasSecondFactor, isWrongCode, takeCode } from "./second-factor";

/** What the owner of a session shows to prove to be at the browser. */
export const presenceRoutes: Route[] = [
  implement(confirmPresence, async ({ services, caller, body, request, reply }) => {
    const { session } = request.cookies;
    if (session === undefined || !hasSession(services, caller, request))
      throw new Failure("fresh-sign-in-needed");
    const factor = await findConfirmed(services, caller.id);
    // A password alone does not sign in beside a passkey, which the next sign-in asks for.
    if (!factor && (await hasSecondFactor(services, caller.id))) throw new Failure("fresh-sign-in-needed");
    try {
      if (factor) await takeCode(services, caller, factor, body.code, request);
      else await checkOwnPassword(services, caller, body.password, request);
    } catch (error) {
      if (isWrongCode(error))
        await audit(services, { caller, request }, "user.refuse-code", caller.id, {}, caller);
      // The call names its own field for the password.
      throw error instanceof Failure && error.key === "current-password-wrong" ? error.at("password") : error;
    }
    reply.setCookie(PRESENCE_COOKIE, createPresenceCookie(services.secrets, session, services.now()), {
      ...sessionReach(services, request),
      path: "/api",
      maxAge: PRESENCE_SECONDS,
    });
    return undefined;
  }),
];
