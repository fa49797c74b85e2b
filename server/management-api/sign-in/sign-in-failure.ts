import type { SignInMethod } from "@tollgate/contract/sign-in/methods";
import { hasMessage } from "../../locales/languages";
import { Failure } from "../failure";

/** A sign-in method's sentence: its own if a language has one, else the general one with its name filled in. */
export const signInFailure = (
  { name, title }: Pick<SignInMethod, "name" | "title">,
  why: "off" | "unreachable" | "nobody" | "taken",
): Failure => {
  const own = `sign-in-${why}-${name}`;
  return new Failure(hasMessage(own) ? own : `sign-in-${why}`, { method: title });
};
