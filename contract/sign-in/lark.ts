import * as z from "zod/mini";
import { exchangeOf } from "./exchange-code";
import { defineSignInMethod } from "./sign-in-method";

/**
 * https://open.feishu.cn/document/authentication-management/access-token/get-user-access-token and
 * https://open.feishu.cn/document/server-docs/authentication-management/login-state-management/get
 */
export const lark = defineSignInMethod({
  name: "lark",
  title: "Feishu",
  userField: "lark_id",
  isExtra: true,
  switch: { option: "LarkOAuthEnabled", needs: ["LarkClientId", "LarkClientSecret"], status: "lark_oauth" },
  options: {
    LarkClientId: { type: "text", status: "lark_client_id" },
    LarkClientSecret: { type: "secret" },
  },
  entry: {
    kind: "redirect",
    consent: (told, back) => ({
      address: "https://accounts.feishu.cn/open-apis/authen/v1/authorize",
      query: { client_id: told.lark_client_id, response_type: "code", redirect_uri: back },
    }),
  },
});

export const larkExchange = exchangeOf(lark, {
  addresses: { LARK_URL: "https://open.feishu.cn" },
  async identify({ code, back, option, address, ask }) {
    const grant = z.object({ access_token: z.string().check(z.minLength(1)) }).safeParse(
      await ask(`${address("LARK_URL")}/open-apis/authen/v2/oauth/token`, {
        method: "POST",
        headers: { "content-type": "application/json; charset=utf-8" },
        body: JSON.stringify({
          grant_type: "authorization_code",
          client_id: option("LarkClientId"),
          client_secret: option("LarkClientSecret"),
          code,
          redirect_uri: back,
        }),
      }),
    );
    if (!grant.success) return "unreachable";
    const answer = await ask(`${address("LARK_URL")}/open-apis/authen/v1/user_info`, {
      headers: { authorization: `Bearer ${grant.data.access_token}` },
    });
    if (answer === undefined) return "unreachable";
    const told = z
      .object({
        code: z.literal(0),
        // The same in all apps of a company. Its address is typed by the person, and not verified.
        data: z.object({ union_id: z.string().check(z.minLength(1)), name: z.catch(z.string(), "") }),
      })
      .safeParse(answer);
    if (!told.success) return "nobody";
    const { union_id: subject, name } = told.data.data;
    return { subject, displayName: name || "Lark User" };
  },
});
