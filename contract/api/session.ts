import * as z from "zod/mini";
import { endpoint } from "../resource/endpoint";
import { optional, textValue } from "../resource/resource";
import { user } from "./user";

/* Coming in with a password, going to a page that asks for consent, and going out (contract section 1.2). */

/** The user who has signed in: identifying fields alone. */
export const signedIn = {
  ...user,
  read: (value: unknown) => {
    const read = user.read(value);
    return read?.username ? read : undefined;
  },
};

export const loginBodySchema = z.object({
  username: z.string().check(z.minLength(1)),
  password: z.string().check(z.minLength(1)),
});

export const logIn = endpoint({
  method: "POST",
  path: "/api/user/login",
  guard: "none",
  summary: "Signs in with a password",
  body: loginBodySchema,
  data: signedIn,
});

export const logOut = endpoint({
  method: "GET",
  path: "/api/user/logout",
  guard: "none",
  summary: "Signs out",
  changesState: true,
});

export const getOauthState = endpoint({
  method: "GET",
  path: "/api/oauth/state",
  guard: "none",
  summary: "A state for the page on which a sign-in method asks for consent",
  query: { method: "The sign-in method, for those that the contract does not have" },
  data: optional(textValue),
  isCritical: true,
});
