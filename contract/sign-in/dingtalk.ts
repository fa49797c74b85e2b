import * as z from "zod/mini";
import { exchangeOf } from "./exchange-code";
import { defineSignInMethod } from "./sign-in-method";

/**
 * https://open.dingtalk.com/document/orgapp/obtain-identity-credentials and
 * https://open.dingtalk.com/document/orgapp/dingtalk-retrieve-user-information
 */
export const dingtalk = defineSignInMethod({
  name: "dingtalk",
  title: "DingTalk",
  userField: "dingtalk_id",
  isExtra: true,
  switch: {
    option: "DingTalkOAuthEnabled",
    needs: ["DingTalkClientId", "DingTalkClientSecret"],
    status: "dingtalk_oauth",
  },
  options: {
    DingTalkClientId: { type: "text", status: "dingtalk_client_id" },
    DingTalkClientSecret: { type: "secret" },
  },
  entry: {
    kind: "redirect",
    consent: (told, back) => ({
      address: "https://login.dingtalk.com/oauth2/auth",
      query: {
        client_id: told.dingtalk_client_id,
        response_type: "code",
        redirect_uri: back,
        scope: "openid",
        prompt: "consent",
      },
    }),
  },
});

export const dingtalkExchange = exchangeOf(dingtalk, {
  addresses: { DINGTALK_URL: "https://api.dingtalk.com" },
  async identify({ code, option, address, ask }) {
    const grant = z.object({ accessToken: z.string().check(z.minLength(1)) }).safeParse(
      await ask(`${address("DINGTALK_URL")}/v1.0/oauth2/userAccessToken`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          clientId: option("DingTalkClientId"),
          clientSecret: option("DingTalkClientSecret"),
          code,
          grantType: "authorization_code",
        }),
      }),
    );
    if (!grant.success) return "unreachable";
    const answer = await ask(`${address("DINGTALK_URL")}/v1.0/contact/users/me`, {
      headers: { "x-acs-dingtalk-access-token": grant.data.accessToken },
    });
    if (answer === undefined) return "unreachable";
    const user = z
      .object({ unionId: z.string().check(z.minLength(1)), nick: z.catch(z.string(), "") })
      .safeParse(answer);
    if (!user.success) return "nobody";
    return { subject: user.data.unionId, displayName: user.data.nick || "DingTalk User" };
  },
});
