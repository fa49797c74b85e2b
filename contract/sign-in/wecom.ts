import * as z from "zod/mini";
import { encodeFields, exchangeOf } from "./exchange-code";
import { defineSignInMethod } from "./sign-in-method";

/** https://developer.work.weixin.qq.com/document/path/98152 and https://developer.work.weixin.qq.com/document/path/98176 */
export const wecom = defineSignInMethod({
  name: "wecom",
  title: "WeCom",
  userField: "wecom_id",
  isExtra: true,
  switch: {
    option: "WeComAuthEnabled",
    needs: ["WeComCorpId", "WeComAgentId", "WeComSecret"],
    status: "wecom_login",
  },
  options: {
    /** A member's id is unique within a company: another one names other people. */
    WeComCorpId: { type: "text", status: "wecom_corp_id", changedBy: "root-session" },
    WeComAgentId: { type: "text", status: "wecom_agent_id" },
    WeComSecret: { type: "secret" },
  },
  entry: {
    kind: "redirect",
    consent: (told, back) => ({
      address: "https://login.work.weixin.qq.com/wwlogin/sso/login",
      query: {
        login_type: "CorpApp",
        appid: told.wecom_corp_id,
        agentid: told.wecom_agent_id,
        redirect_uri: back,
      },
    }),
  },
});

export const wecomExchange = exchangeOf(wecom, {
  addresses: { WECOM_URL: "https://qyapi.weixin.qq.com" },
  async identify({ code, option, address, ask }) {
    const at = (path: string, query: Record<string, string>): Promise<unknown> =>
      ask(`${address("WECOM_URL")}/cgi-bin/${path}?${encodeFields(query)}`, {});
    const corp = option("WeComCorpId");
    const grant = z
      .object({ errcode: z.literal(0), access_token: z.string().check(z.minLength(1)) })
      .safeParse(await at("gettoken", { corpid: corp, corpsecret: option("WeComSecret") }));
    if (!grant.success) return "unreachable";
    const answer = await at("auth/getuserinfo", { access_token: grant.data.access_token, code });
    if (answer === undefined) return "unreachable";
    // A person outside of the company has an `openid` instead.
    const user = z
      .object({ errcode: z.literal(0), userid: z.string().check(z.minLength(1)) })
      .safeParse(answer);
    if (!user.success) return "nobody";
    return { subject: `${corp} ${user.data.userid}`, displayName: user.data.userid };
  },
});
