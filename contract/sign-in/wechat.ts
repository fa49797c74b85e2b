import * as z from "zod/mini";
import { stripEnd } from "../values/strip-end";
import { exchangeOf } from "./exchange-code";
import { defineSignInMethod } from "./sign-in-method";

/** A WeChat server says who signs in (contract section 1.2): its account tells people a code. */
export const wechat = defineSignInMethod({
  name: "wechat",
  title: "WeChat",
  userField: "wechat_id",
  switch: { option: "WeChatAuthEnabled", needs: ["WeChatServerAddress"], status: "wechat_login" },
  options: {
    /** Who says which WeChat account signs in. */
    WeChatServerAddress: { type: "url", changedBy: "root-session", hasPlaceholder: true },
    WeChatServerToken: { type: "secret", changedBy: "root-session" },
    WeChatAccountQRCodeImageURL: {
      type: "url",
      isPicture: true,
      status: "wechat_qrcode",
      hasPlaceholder: true,
    },
  },
  entry: { kind: "typed-code", picture: "wechat_qrcode" },
});

export const wechatExchange = exchangeOf(wechat, {
  addresses: {},
  async identify({ code, option, ask }) {
    const base = stripEnd(option("WeChatServerAddress"), "/");
    const answer = z
      .object({
        success: z.boolean(),
        data: z.catch(z.string(), ""),
      })
      .safeParse(
        await ask(`${base}/api/wechat/user?code=${encodeURIComponent(code)}`, {
          headers: { authorization: option("WeChatServerToken") },
        }),
      );
    if (!answer.success) return "unreachable";
    if (!answer.data.success || answer.data.data === "") return "code-wrong";
    return { subject: answer.data.data, displayName: "WeChat User" };
  },
});
