import type { User } from "@tollgate/accounts/users";
import {
  changeSelf,
  deleteSelf,
  getInviteCode,
  getSelf,
  redeemCode,
  replaceAccessToken,
} from "@tollgate/contract/api/own-account";
import { logIn, logOut } from "@tollgate/contract/api/session";
import { ROLE_ROOT } from "@tollgate/contract/values/roles";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import { StorageConflict } from "@tollgate/storage/errors";
import type { FastifyRequest } from "fastify";
import { existing, Failure } from "../failure";
import { withPermissions } from "../permissions";
import { implement, type Route, takeCall } from "../route";
import type { Services } from "../services";
import { beginSignIn, endAccess, endSession } from "../session";
import { checkDisplayName, checkNewUsername, checkPassword, withConflicts } from "../sign-in/account-rules";
import { checkFreshSignIn, hasSession, isFreshlySignedIn } from "../sign-in/fresh-sign-in";
import { beginPasswordTry, checkOwnPassword, MAX_CREDENTIAL } from "../sign-in/password-try";
import { hashPassword, isOutdatedHash, verifyPassword } from "../sign-in/passwords";
import { checkTermsAccepted } from "../site/terms";
import { checkAliases } from "./check-aliases";
import { createAffCode } from "./create-user";
import { removeUser } from "./remove-user";

/**
 * The contract's clients have no field for the current password, so having signed in a short while ago counts as well.
 * @throws Failure when neither holds: a session left open, or a stolen access token, takes no account over.
 */
const checkCurrentPassword = async (
  services: Services,
  caller: User,
  original: string,
  request: FastifyRequest,
): Promise<void> => {
  if (original === "") {
    if (!isFreshlySignedIn(services, caller, request)) throw new Failure("current-password-needed");
    return;
  }
  await checkOwnPassword(services, caller, original, request);
};

/** Signing in and out, and one's own account (contract sections 1.2 and 1.3). */
export const userRoutes: Route[] = [
  implement(logIn, async ({ services, body, request, reply }) => {
    if (!services.options.isOn("PasswordLoginEnabled")) throw new Failure("password-login-off");
    // No name or password has this length: it is not looked up, hashed or counted.
    if (Math.max(body.username.length, body.password.length) > MAX_CREDENTIAL)
      throw new Failure("login-failed");
    const user = services.accounts.users.findByName(body.username);
    const takeBack = beginPasswordTry(services, body.username, user, request);
    const isRight = await verifyPassword(user?.passwordHash, body.password).catch((error: unknown) => {
      // The password was not looked at.
      takeBack();
      throw error;
    });
    const isAdmitted =
      user?.status === USER_ENABLED &&
      services.rootSetup.admits(user, body.password, services.addresses.isLocal(request.raw));
    // One answer for all causes: details would help a stranger to guess.
    if (!isRight || !isAdmitted) throw new Failure("login-failed");
    takeBack();
    if (isOutdatedHash(user.passwordHash)) {
      const passwordHash = await hashPassword(body.password);
      await services.accounts.users.change(user.id, { passwordHash });
    }
    return beginSignIn(services, user, request, reply);
  }),
  implement(logOut, async ({ services, request, reply }) => {
    await endSession(services, request, reply);
    return undefined;
  }),
  implement(getSelf, async ({ services, caller, request, isByKey }) => {
    const user = existing(await services.storage.read.users.find(caller.id));
    // The access token has more rights than a key, and than a browser that its owner left open.
    const isHidden =
      isByKey || (hasSession(services, caller, request) && !isFreshlySignedIn(services, caller, request));
    const accessToken = isHidden ? "" : await services.storage.read.users.accessToken(caller.id);
    return withPermissions(services, { ...user, accessToken });
  }),
  implement(changeSelf, async ({ services, caller, body, request }) => {
    if (body.username !== "") checkNewUsername(body.username, caller.username);
    checkDisplayName(body.displayName);
    const modelAliases = body.modelAliases?.trim();
    if (modelAliases !== undefined) checkAliases(modelAliases);
    if (body.password !== "") checkPassword(body.password);
    // Another name keeps the owner out as well as another password.
    const isRenamed = body.username !== "" && body.username !== caller.username;
    if (body.password !== "" || isRenamed)
      await checkCurrentPassword(services, caller, body.originalPassword, request);
    const changed = await withConflicts(
      services.accounts.users.change(caller.id, {
        ...(body.username === "" ? {} : { username: body.username }),
        ...(body.displayName === "" ? {} : { displayName: body.displayName }),
        ...(body.password === "" ? {} : { passwordHash: await hashPassword(body.password) }),
        modelAliases,
      }),
    );
    if (body.password !== "") {
      // The old password's sessions end everywhere; the one that changed it stays.
      await endAccess(services.accounts, caller.id, request);
      services.notices.accountChanged(changed, "password");
    }
    return undefined;
  }),
  implement(deleteSelf, async ({ services, caller, request, reply }) => {
    if (caller.role >= ROLE_ROOT) throw new Failure("cannot-delete-root");
    checkFreshSignIn(services, caller, request);
    await endSession(services, request, reply);
    await removeUser(services, caller.id);
    return undefined;
  }),
  implement(replaceAccessToken, ({ services, caller }) =>
    services.accounts.users.replaceAccessToken(caller.id),
  ),
  implement(getInviteCode, async ({ services, caller }) => {
    const user = existing(await services.storage.read.users.find(caller.id));
    if (user.affCode !== "") return user.affCode;
    return (await services.accounts.users.change(caller.id, { affCode: createAffCode() })).affCode;
  }),
  implement(redeemCode, async ({ services, caller, body, request }) => {
    const key = body.key.trim();
    if (key === "") throw new Failure("redemption-key-missing");
    await checkTermsAccepted(services, caller);
    // Only a wrong code is a guess: a user with a hundred good ones may redeem them one after another.
    const address = services.addresses.subscriberOf(request.raw);
    takeCall(services.rateLimits.critical, address);
    let isGuess = false;
    try {
      const quota = await services.accounts.users.redeem(caller, key);
      services.notices.raise({
        event: "top-up",
        subject: request.id,
        userId: caller.id,
        params: { id: caller.id, username: caller.username, quota },
      });
      return quota;
    } catch (error) {
      if (!(error instanceof StorageConflict)) throw error;
      isGuess = error.kind === "redemption-unknown";
      switch (error.kind) {
        case "redemption-unknown":
        case "redemption-used":
        case "redemption-disabled":
        case "redemption-expired":
        case "redemption-used-before":
          throw new Failure(error.kind);
        case "balance-too-large":
          throw new Failure("redemption-quota-range");
        default:
          throw error;
      }
    } finally {
      if (!isGuess) services.rateLimits.critical.giveBack(address);
    }
  }),
];
