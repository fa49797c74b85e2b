import type { IdentityMethod } from "@tollgate/contract/records/user-record";
import { hasMessage } from "../../locales/languages";
import { Failure } from "../failure";

/** A declared method, or a provider that root has added. */
export interface SignInService {
  name: IdentityMethod;
  /** For people. */
  title: string;
}

/** Why a sign-in with an account elsewhere fails: the ends of the sentences' keys. */
export type SignInFault =
  | "off"
  | "unreachable"
  | "nobody"
  | "taken"
  /** The code is unknown to the service, or used up. */
  | "refused"
  /** An answer that breaks a rule by which it could be trusted. */
  | "untrusted"
  | "email-domain"
  | "group"
  | "newcomers";

/** A sign-in method's sentence: its own if a language has one, else the general one with its name filled in. */
export const signInFailure = ({ name, title }: SignInService, why: SignInFault): Failure => {
  const own = `sign-in-${why}-${name}`;
  return new Failure(hasMessage(own) ? own : `sign-in-${why}`, { method: title });
};
