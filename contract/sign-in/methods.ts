import { github } from "./github";
import { wechat } from "./wechat";

/** The ways to sign in with an account elsewhere, in the order in which they are offered. */
export const SIGN_IN_METHODS = [github, wechat] as const;

export type SignInMethod = (typeof SIGN_IN_METHODS)[number];
export type SignInMethodName = SignInMethod["name"];
