import { dingtalkExchange } from "./dingtalk";
import { discordExchange } from "./discord";
import type { CodeExchange } from "./exchange-code";
import { githubExchange } from "./github";
import { larkExchange } from "./lark";
import { linuxdoExchange } from "./linuxdo";
import type { SignInMethodName } from "./methods";
import { wechatExchange } from "./wechat";
import { wecomExchange } from "./wecom";

/** Exchange of a code, by method. Apart from the list of methods, because the console does not load it. */
export const CODE_EXCHANGES: Readonly<Record<SignInMethodName, CodeExchange>> = {
  github: githubExchange,
  wechat: wechatExchange,
  wecom: wecomExchange,
  lark: larkExchange,
  dingtalk: dingtalkExchange,
  discord: discordExchange,
  linuxdo: linuxdoExchange,
};

/** Where the services of all methods are, by the environment variables that say otherwise. */
export const SIGN_IN_ADDRESSES: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(CODE_EXCHANGES).map(({ addresses }) => addresses),
);
