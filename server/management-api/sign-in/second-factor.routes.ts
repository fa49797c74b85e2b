import type { User } from "@tollgate/accounts/users";
import { resetPasskeys } from "@tollgate/contract/api/passkeys";
import {
  completeSignIn,
  confirmSecondFactor,
  getSecondFactor,
  removeSecondFactor,
  replaceBackupCodes,
  resetSecondFactor,
  setUpAtSignIn,
  setUpSecondFactor,
} from "@tollgate/contract/api/second-factor";
import type { SecondFactor } from "@tollgate/contract/records/second-factor-record";
import type { FastifyRequest } from "fastify";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { type EndpointContext, implement, type Route } from "../route";
import type { Services } from "../services";
import { awaitSecondFactor, endAccess, rememberCodeDevice, startSession } from "../session";
import { checkFreshSignIn, hasSession } from "./fresh-sign-in";
import { pendingUser } from "./pending-sign-in";
import {
  beginSecondFactor,
  checkSetUp,
  createBackupCodes,
  endUnsafeSessions,
  findConfirmed,
  hasSecondFactor,
  isRequiredOf,
  isWrongCode,
  takeCode,
  tellOwner,
} from "./second-factor";

/** The user whose lost factors root removes. @throws Failure for root's own. */
const lostFactorOwner = async ({
  services,
  caller,
  params,
  request,
}: Pick<EndpointContext<"/:id", "root", never, undefined>, "services" | "caller" | "params" | "request">) => {
  checkFreshSignIn(services, caller, request);
  const user = existing(await services.storage.read.users.find(params.id));
  // Without a code, an open browser of root's would do. The local operator has the data itself.
  if (user.id === caller.id && !services.operator.makes(request.raw))
    throw new Failure("second-factor-own-reset");
  return user;
};

/** The caller's own factor. @throws Failure without one. */
const ownFactor = async (services: Services, caller: User): Promise<SecondFactor> => {
  const factor = await findConfirmed(services, caller.id);
  if (!factor) throw new Failure("second-factor-off");
  return factor;
};

/**
 * Confirms a factor that was begun. Sessions from before, which have shown none, end.
 * @returns the time of its confirmation.
 */
const confirm = async (
  services: Services,
  user: User,
  code: string,
  request: FastifyRequest,
): Promise<number> => {
  const factor = await services.storage.read.secondFactors.find(user.id);
  if (!factor) throw new Failure("second-factor-off");
  if (factor.confirmedTime > 0) throw new Failure("second-factor-on");
  const confirmedTime = services.now();
  // A backup code would not show that the app has the secret.
  const begun = { ...factor, backupCodes: [] };
  await takeCode(services, user, begun, code, request, (taken) => ({
    ...taken,
    backupCodes: factor.backupCodes,
    confirmedTime,
  }));
  await services.accounts.sessions.endOthers(user.id, request.cookies.session);
  await audit(services, { caller: user, request }, "user.confirm-second-factor", user.id, {}, user);
  await tellOwner(services, user.id, "second-factor-on");
  return confirmedTime;
};

/** The second factor of one's own sign-ins, of a sign-in under way, and of a user who has lost it. */
export const secondFactorRoutes: Route[] = [
  implement(getSecondFactor, async ({ services, caller }) => {
    const factor = await findConfirmed(services, caller.id);
    return {
      isOn: factor !== undefined,
      isRequired: isRequiredOf(services, caller),
      codesLeft: factor?.backupCodes.length ?? 0,
    };
  }),

  implement(setUpSecondFactor, ({ services, caller, request }) => {
    // A person who found an open browser would keep its owner out.
    checkFreshSignIn(services, caller, request);
    return beginSecondFactor(services, caller);
  }),

  implement(confirmSecondFactor, async ({ services, caller, body, request, reply }) => {
    // Not as recent as for the set-up, which has been: a person may have searched for an app meanwhile.
    if (!hasSession(services, caller, request)) throw new Failure("fresh-sign-in-needed");
    const confirmedTime = await confirm(services, caller, body.code, request);
    rememberCodeDevice(services, caller.id, confirmedTime, request, reply);
    return undefined;
  }),

  implement(removeSecondFactor, async ({ services, caller, body, request }) => {
    const factor = await ownFactor(services, caller);
    await takeCode(services, caller, factor, body.code, request, () => undefined);
    await audit(services, { caller, request }, "user.remove-second-factor", caller.id, {}, caller);
    await tellOwner(services, caller.id, "second-factor-off");
    // The next sign-in sets up another.
    await endUnsafeSessions(services);
    return undefined;
  }),

  implement(replaceBackupCodes, async ({ services, caller, body, request }) => {
    const factor = await ownFactor(services, caller);
    const backupCodes = createBackupCodes();
    await takeCode(services, caller, factor, body.code, request, (taken) => ({ ...taken, backupCodes }));
    await audit(services, { caller, request }, "user.renew-backup-codes", caller.id, {}, caller);
    await tellOwner(services, caller.id, "backup-codes");
    return { backup_codes: backupCodes };
  }),

  implement(setUpAtSignIn, async ({ services, request, reply }) => {
    const user = pendingUser(services, request);
    await checkSetUp(services, user);
    awaitSecondFactor(services, user, "setup", request, reply);
    return beginSecondFactor(services, user);
  }),

  implement(completeSignIn, async ({ services, body, request, reply }) => {
    const user = pendingUser(services, request);
    const factor = await findConfirmed(services, user.id);
    let confirmedTime = factor?.confirmedTime;
    try {
      if (factor) await takeCode(services, user, factor, body.code, request);
      else {
        // Not beside a passkey: an app that was begun before it may be another person's.
        await checkSetUp(services, user);
        confirmedTime = await confirm(services, user, body.code, request);
      }
    } catch (error) {
      // The password was right: its owner may have to change it. Counted tries bound these lines.
      if (isWrongCode(error))
        await audit(services, { caller: user, request }, "user.refuse-code", user.id, {}, user);
      throw error;
    }
    rememberCodeDevice(services, user.id, confirmedTime ?? 0, request, reply);
    return startSession(services, user, request, reply);
  }),

  implement(resetSecondFactor, async (context) => {
    const { services } = context;
    const user = await lostFactorOwner(context);
    // Sign-ins do not ask for a factor before its first code is confirmed.
    if (!(await hasSecondFactor(services, user.id))) throw new Failure("second-factor-off");
    await services.storage.write.secondFactors.remove(user.id);
    await services.storage.write.passkeys.removeAll(user.id);
    await endAccess(services.accounts, user.id, undefined);
    await audit(services, context, "user.reset-second-factor", user.id, {}, user);
    services.notices.accountChanged(user, "second-factor-off");
    return undefined;
  }),

  implement(resetPasskeys, async (context) => {
    const { services } = context;
    const user = await lostFactorOwner(context);
    if ((await services.storage.write.passkeys.removeAll(user.id)) === 0) throw new Failure("passkey-none");
    await endAccess(services.accounts, user.id, undefined);
    await audit(services, context, "user.reset-passkeys", user.id, {}, user);
    services.notices.accountChanged(user, "passkey-removed");
    return undefined;
  }),
];
