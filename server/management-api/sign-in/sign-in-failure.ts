import type { SignInMethod } from "@tollgate/contract/sign-in/methods";
import { hasMessage } from "../../locales/languages";
import { Failure } from "../failure";

/** The sentence of a sign-in method: its own where a language says it otherwise, else the one with its name filled in. */
export const signInFailure = (
  { name, title }: Pick<SignInMethod, "name" | "title">,
  why: "off" | "unreachable" | "nobody" | "taken",
): Failure => {
  const own = `sign-in-${why}-${name}`;
  return new Failure(hasMessage(own) ? own : `sign-in-${why}`, { method: title });
};
