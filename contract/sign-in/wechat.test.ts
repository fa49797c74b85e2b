import { expect, it } from "vitest";
import { runExchange } from "./testing/run-exchange";
import { wechatExchange } from "./wechat";

const OPTIONS = { WeChatServerAddress: "https://wechat.example.com/", WeChatServerToken: "secret" };

const find = async (answer: unknown) => (await runExchange(wechatExchange, OPTIONS, [answer])).found;

it("is asked who told the site's account the code, which is sent on as text", async () => {
  const { found, asked } = await runExchange(wechatExchange, OPTIONS, [{ success: true, data: "o6_bm" }]);
  expect(found).toEqual({ subject: "o6_bm", displayName: "WeChat User" });
  expect(asked).toEqual([
    {
      url: "https://wechat.example.com/api/wechat/user?code=c%2F1%20%26",
      headers: { authorization: "secret" },
    },
  ]);
});

it.each([
  [undefined, "unreachable"],
  ["o6_bm", "unreachable"],
  [{ data: "o6_bm" }, "unreachable"],
  [{ success: "true", data: "o6_bm" }, "unreachable"],
  [{ success: false, message: "wrong", data: "o6_bm" }, "code-wrong"],
  [{ success: true }, "code-wrong"],
  [{ success: true, data: "" }, "code-wrong"],
  [{ success: true, data: null }, "code-wrong"],
  [{ success: true, data: 7 }, "code-wrong"],
  [{ success: true, data: { toString: "o6_bm" } }, "code-wrong"],
])("rejects the answer %j", async (answer, fault) => {
  expect(await find(answer)).toBe(fault);
});
