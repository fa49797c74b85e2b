import type { User } from "@tollgate/accounts/users";
import { waitSeconds } from "@tollgate/relay/limits/waiting";
import type { FastifyRequest } from "fastify";
import { Failure } from "../failure";
import type { Services } from "../services";
import { DEVICE_COOKIE, readDeviceCookie } from "./known-device";
import { verifyPassword } from "./passwords";

/** Longer than any name or password that an account has, in code units. */
export const MAX_CREDENTIAL = 200;

/** Counts a password attempt. @returns uncounts it. @throws Failure after too many attempts. */
export const beginTry = (
  services: Services,
  username: string,
  user: User | undefined,
  request: FastifyRequest,
): (() => void) => {
  const begun = services.signInLimits.begin(
    {
      username,
      subscriber: services.addresses.subscriberOf(request.raw),
      userId: user?.id,
      deviceId: user && readDeviceCookie(services.secrets, user.id, request.cookies[DEVICE_COOKIE]),
      isKnownAddress:
        user !== undefined &&
        services.accounts.sessions.isSignedInFrom(
          user.id,
          services.addresses.of(request.raw),
          services.now(),
        ),
    },
    Date.now(),
  );
  if (typeof begun === "number") throw new Failure("too-many-attempts", {}, 429, waitSeconds(begun));
  return begun;
};

/**
 * Checks the password of a caller who is signed in. Counted like a sign-in: the holder of an access token could guess
 * the password here as well.
 * @throws Failure for a wrong one, or after too many.
 */
export const takePassword = async (
  services: Services,
  caller: User,
  password: string,
  request: FastifyRequest,
): Promise<void> => {
  if (password.length > MAX_CREDENTIAL) throw new Failure("current-password-wrong");
  const takeBack = beginTry(services, caller.username, caller, request);
  const isRight = await verifyPassword(caller.passwordHash, password).catch((error: unknown) => {
    takeBack();
    throw error;
  });
  if (!isRight) throw new Failure("current-password-wrong");
  takeBack();
};
