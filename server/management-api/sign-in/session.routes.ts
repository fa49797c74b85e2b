import { hashSessionId } from "@tollgate/accounts/sessions";
import { endOtherSessions, endSession, endUserSessions, listSessions } from "@tollgate/contract/api/sessions";
import { audit } from "../audit";
import { existing } from "../failure";
import { implement, type Route } from "../route";
import { endAccess } from "../session";
import { checkRank, checkReach } from "../users/user-edits";
import { describeDevice } from "./describe-device";

/** Sign-ins that last: one's own, and those of a user in an administrator's hands. */
export const sessionRoutes: Route[] = [
  implement(listSessions, async ({ services, caller, request }) => {
    const { accounts, storage, now } = services;
    const cookie = request.cookies.session;
    const current = cookie === undefined ? undefined : hashSessionId(cookie);
    const sessions = await storage.read.sessions.ofUser(caller.id, now());
    return sessions
      .map(({ idHash, userAgent, lastUsedTime, address, createdTime, expiresTime }) => ({
        id: idHash,
        device: describeDevice(userAgent),
        address,
        createdTime,
        lastUsedTime: Math.max(createdTime, lastUsedTime, accounts.sessions.lastUse(idHash)),
        expiresTime,
        isCurrent: idHash === current,
      }))
      .sort((a, b) => b.lastUsedTime - a.lastUsedTime);
  }),

  implement(endSession, async ({ services, caller, params }) => {
    existing((await services.accounts.sessions.endOf(caller.id, params.session)) || undefined);
    return undefined;
  }),

  implement(endOtherSessions, async ({ services, caller, request }) => {
    await services.accounts.sessions.endOthers(caller.id, request.cookies.session);
    return undefined;
  }),

  implement(endUserSessions, async (context) => {
    const { services, caller, params } = context;
    const user = existing(await services.storage.read.users.find(params.id));
    checkRank(caller, user);
    checkReach(context, user.role);
    await endAccess(services.accounts, user.id, undefined);
    await audit(services, context, "user.sign-out", user.id, {}, user);
    return undefined;
  }),
];
