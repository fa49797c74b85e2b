import { expect, it } from "vitest";
import { larkExchange } from "./lark";
import { BACK, runExchange } from "./testing/run-exchange";

const OPTIONS = { LarkClientId: "id", LarkClientSecret: "secret" };
const GRANT = { code: 0, access_token: "grant" };
const USER = { code: 0, data: { union_id: "on_1", open_id: "ou_1", name: "安", email: "typed@example.com" } };

it("gives a grant for the code, and for the grant the account without its typed address", async () => {
  const { found, asked } = await runExchange(larkExchange, OPTIONS, [GRANT, USER]);
  expect(found).toEqual({ subject: "on_1", displayName: "安" });
  expect(asked.map(({ url }) => url)).toEqual([
    "https://open.feishu.cn/open-apis/authen/v2/oauth/token",
    "https://open.feishu.cn/open-apis/authen/v1/user_info",
  ]);
  expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
    ...{ grant_type: "authorization_code", code: "c/1 &", redirect_uri: BACK },
    ...{ client_id: "id", client_secret: "secret" },
  });
});

it.each([
  [[{ code: 20003 }], "unreachable"],
  [[GRANT, undefined], "unreachable"],
  [[GRANT, { ...USER, code: 99991663 }], "nobody"],
  [[GRANT, { code: 0, data: { union_id: "" } }], "nobody"],
])("is told from an account: %j", async (answers, outcome) => {
  expect((await runExchange(larkExchange, OPTIONS, answers)).found).toBe(outcome);
});
