import type { CodeExchange } from "./exchange-code";
import { githubExchange } from "./github";
import type { SignInMethodName } from "./methods";
import { wechatExchange } from "./wechat";

/** Exchange of a code, by method. Apart from the list of methods, because the console does not load it. */
export const CODE_EXCHANGES: Readonly<Record<SignInMethodName, CodeExchange>> = {
  github: githubExchange,
  wechat: wechatExchange,
};

/** Where the services of all methods are, by the environment variables that say otherwise. */
export const SIGN_IN_ADDRESSES: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(CODE_EXCHANGES).map(({ addresses }) => addresses),
);
