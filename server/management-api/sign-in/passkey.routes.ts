import {
  addPasskey,
  addPasskeyAtSignIn,
  beginPasskey,
  beginPasskeyAtSignIn,
  beginPasskeyFactor,
  beginPasskeyLogin,
  finishPasskeyFactor,
  finishPasskeyLogin,
  listPasskeys,
  removePasskey,
  removePasskeys,
  renamePasskey,
} from "@tollgate/contract/api/passkeys";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import { waitSeconds } from "@tollgate/relay/limits/waiting";
import type { FastifyRequest } from "fastify";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { type Caller, implement, type Route } from "../route";
import type { Services } from "../services";
import { awaitSecondFactor, startSession } from "../session";
import { checkFreshSignIn, hasSession } from "./fresh-sign-in";
import { beginChallenge, endChallenge } from "./passkey-challenge";
import { createPasskeyOptions, createRequestOptions, storePasskey, takeAssertion } from "./passkeys";
import { pendingUser } from "./pending-sign-in";
import { checkSetUp, endUnsafeSessions, hasSecondFactor, tellOwner } from "./second-factor";

/** @throws Failure unless the site lets passkeys alone sign in. */
const checkLoginOn = ({ options }: Services): void => {
  if (!options.isOn("PasskeyLoginEnabled")) throw new Failure("passkey-login-off");
};

/** Counts a signature, unless it is right. @throws Failure after too many. */
const counted = async <Result>(
  { signInLimits, addresses }: Services,
  request: FastifyRequest,
  take: () => Promise<Result>,
): Promise<Result> => {
  const begun = signInLimits.beginPasskey(addresses.subscriberOf(request.raw), Date.now());
  if (typeof begun === "number") throw new Failure("too-many-attempts", {}, 429, waitSeconds(begun));
  const taken = await take();
  begun();
  return taken;
};

/** Notes that passkeys of the caller are gone: where the site requires one, the next sign-in sets up another. */
const noteRemoved = async (
  services: Services,
  caller: Caller<"user">,
  request: FastifyRequest,
  detail: Record<string, string>,
): Promise<void> => {
  await audit(services, { caller, request }, "user.remove-passkey", caller.id, detail, caller);
  await tellOwner(services, caller.id, "passkey-removed");
  await endUnsafeSessions(services);
};

/** Passkeys of one's own, as a second factor of a sign-in under way, and as a sign-in by themselves. */
export const passkeyRoutes: Route[] = [
  implement(listPasskeys, ({ services, caller }) => services.storage.read.passkeys.ofUser(caller.id)),

  implement(beginPasskey, ({ services, caller, request, reply }) => {
    // A person who found an open browser would have a sign-in of their own.
    checkFreshSignIn(services, caller, request);
    const challenge = beginChallenge(services, "register", request.cookies.session ?? "", request, reply);
    return createPasskeyOptions(services, caller, challenge, request);
  }),

  implement(addPasskey, async ({ services, caller, body, request, reply }) => {
    if (!hasSession(services, caller, request)) throw new Failure("fresh-sign-in-needed");
    const challenge = endChallenge(services, "register", request.cookies.session ?? "", request, reply);
    const isSafe = await hasSecondFactor(services, caller.id);
    const added = await storePasskey(services, caller, body, { challenge, isFirst: false }, request);
    // Other sessions have shown no second factor.
    if (!isSafe) await services.accounts.sessions.endOthers(caller.id, request.cookies.session);
    await audit(services, { caller, request }, "user.add-passkey", caller.id, { name: added.name }, caller);
    await tellOwner(services, caller.id, "passkey-added");
    return added;
  }),

  implement(renamePasskey, async ({ services, caller, params, body }) => {
    existing((await services.storage.write.passkeys.rename(caller.id, params.id, body.name)) || undefined);
    return undefined;
  }),

  implement(removePasskey, async ({ services, caller, params, request }) => {
    checkFreshSignIn(services, caller, request);
    const own = await services.storage.read.passkeys.ofUser(caller.id);
    const { name } = existing(own.find(({ id }) => id === params.id));
    existing((await services.storage.write.passkeys.remove(caller.id, params.id)) || undefined);
    await noteRemoved(services, caller, request, { name });
    return undefined;
  }),

  implement(removePasskeys, async ({ services, caller, request }) => {
    checkFreshSignIn(services, caller, request);
    if ((await services.storage.write.passkeys.removeAll(caller.id)) === 0) throw new Failure("passkey-none");
    await noteRemoved(services, caller, request, {});
    return undefined;
  }),

  implement(beginPasskeyLogin, ({ services, request, reply }) => {
    checkLoginOn(services);
    const challenge = beginChallenge(services, "sign-in", "", request, reply);
    return createRequestOptions(services, undefined, challenge, request);
  }),

  implement(finishPasskeyLogin, async ({ services, body, request, reply }) => {
    checkLoginOn(services);
    const challenge = endChallenge(services, "sign-in", "", request, reply);
    const userId = await counted(services, request, () =>
      takeAssertion(services, body, { challenge, mustVerify: true }, request),
    );
    const user = existing(services.accounts.users.find(userId));
    if (user.status !== USER_ENABLED) throw new Failure("user-disabled");
    return startSession(services, user, request, reply);
  }),

  implement(beginPasskeyFactor, async ({ services, request, reply }) => {
    const user = pendingUser(services, request);
    const own = await services.storage.read.passkeys.ofUser(user.id);
    if (own.length === 0) throw new Failure("passkey-none");
    const challenge = beginChallenge(services, "second-factor", String(user.id), request, reply);
    return createRequestOptions(services, own, challenge, request);
  }),

  implement(finishPasskeyFactor, async ({ services, body, request, reply }) => {
    const user = pendingUser(services, request);
    const challenge = endChallenge(services, "second-factor", String(user.id), request, reply);
    await counted(services, request, () =>
      takeAssertion(services, body, { challenge, user, mustVerify: false }, request),
    );
    return startSession(services, user, request, reply);
  }),

  implement(beginPasskeyAtSignIn, async ({ services, request, reply }) => {
    const user = pendingUser(services, request);
    await checkSetUp(services, user);
    awaitSecondFactor(services, user, "setup", request, reply);
    const challenge = beginChallenge(services, "set-up", String(user.id), request, reply);
    return createPasskeyOptions(services, user, challenge, request);
  }),

  implement(addPasskeyAtSignIn, async ({ services, body, request, reply }) => {
    const user = pendingUser(services, request);
    const challenge = endChallenge(services, "set-up", String(user.id), request, reply);
    await checkSetUp(services, user);
    const { name } = await storePasskey(services, user, body, { challenge, isFirst: true }, request);
    await services.accounts.sessions.endOthers(user.id, undefined);
    await audit(services, { caller: user, request }, "user.add-passkey", user.id, { name }, user);
    await tellOwner(services, user.id, "passkey-added");
    return startSession(services, user, request, reply);
  }),
];
