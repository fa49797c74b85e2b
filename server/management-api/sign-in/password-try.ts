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
export const beginPasswordTry = (
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

/** @throws Failure unless a text is the caller's password. */
export const checkOwnPassword = async (
  services: Services,
  caller: User,
  typed: string,
  request: FastifyRequest,
): Promise<void> => {
  if (typed.length > MAX_CREDENTIAL) throw new Failure("current-password-wrong");
  // The holder of an access token could guess the password here as well as at the sign-in.
  const takeBack = beginPasswordTry(services, caller.username, caller, request);
  const isRight = await verifyPassword(caller.passwordHash, typed).catch((error: unknown) => {
    takeBack();
    throw error;
  });
  if (!isRight) throw new Failure("current-password-wrong");
  takeBack();
};
