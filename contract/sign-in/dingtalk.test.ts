import { expect, it } from "vitest";
import { dingtalkExchange } from "./dingtalk";
import { runExchange } from "./testing/run-exchange";

const OPTIONS = { DingTalkClientId: "id", DingTalkClientSecret: "secret" };
const GRANT = { accessToken: "grant" };

it("gives a grant for the code, and for the grant the account", async () => {
  const { found, asked } = await runExchange(dingtalkExchange, OPTIONS, [
    GRANT,
    { unionId: "u1", nick: "安" },
  ]);
  expect(found).toEqual({ subject: "u1", displayName: "安" });
  expect(asked.map(({ url }) => url)).toEqual([
    "https://api.dingtalk.com/v1.0/oauth2/userAccessToken",
    "https://api.dingtalk.com/v1.0/contact/users/me",
  ]);
  expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
    ...{ clientId: "id", clientSecret: "secret", code: "c/1 &", grantType: "authorization_code" },
  });
});

it.each([
  [[{}], "unreachable"],
  [[GRANT, undefined], "unreachable"],
  [[GRANT, { nick: "安" }], "nobody"],
  [[GRANT, { unionId: "" }], "nobody"],
])("is told from an account: %j", async (answers, outcome) => {
  expect((await runExchange(dingtalkExchange, OPTIONS, answers)).found).toBe(outcome);
});
