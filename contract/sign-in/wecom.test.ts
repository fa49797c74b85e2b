import { expect, it } from "vitest";
import { runExchange } from "./testing/run-exchange";
import { wecomExchange } from "./wecom";

const OPTIONS = { WeComCorpId: "corp", WeComAgentId: "1", WeComSecret: "secret" };
const GRANT = { errcode: 0, access_token: "grant" };

it("gives a grant for the company, and for grant and code the member", async () => {
  const { found, asked } = await runExchange(wecomExchange, OPTIONS, [GRANT, { errcode: 0, userid: "ann" }]);
  expect(found).toEqual({ subject: "corp ann", displayName: "ann" });
  expect(asked.map(({ url }) => url)).toEqual([
    "https://qyapi.weixin.qq.com/cgi-bin/gettoken?corpid=corp&corpsecret=secret",
    "https://qyapi.weixin.qq.com/cgi-bin/auth/getuserinfo?access_token=grant&code=c%2F1%20%26",
  ]);
});

it.each([
  [[{ errcode: 40013 }], "unreachable"],
  [[GRANT, undefined], "unreachable"],
  [[GRANT, { errcode: 40029 }], "nobody"],
  // A person outside of the company.
  [[GRANT, { errcode: 0, openid: "o1" }], "nobody"],
])("is told from a member: %j", async (answers, outcome) => {
  expect((await runExchange(wecomExchange, OPTIONS, answers)).found).toBe(outcome);
});
