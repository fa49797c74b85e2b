import { dingtalk } from "./dingtalk";
import { discord } from "./discord";
import { github } from "./github";
import { lark } from "./lark";
import { linuxdo } from "./linuxdo";
import { wechat } from "./wechat";
import { wecom } from "./wecom";

/** The ways to sign in with an account elsewhere, in the order in which they are offered. */
export const SIGN_IN_METHODS = [github, wechat, wecom, lark, dingtalk, discord, linuxdo] as const;

export type SignInMethod = (typeof SIGN_IN_METHODS)[number];
export type SignInMethodName = SignInMethod["name"];

/**
 * The query of GET /api/oauth/state for a method: its state is good for no other. Else a method could send people back to
 * another one's address, with another person's code of that one
 * (https://www.rfc-editor.org/rfc/rfc9700#section-4.4). The contract knows one method that redirects, and no query.
 */
export const stateQueryOf = ({ name, isExtra }: SignInMethod): { method?: SignInMethodName } =>
  isExtra ? { method: name } : {};
