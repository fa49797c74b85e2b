// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { callApi } from "./api-client";
import { chooseLanguage, startLanguage } from "./i18n";
import { connectToaster, type Notice } from "./notify";
import { onUnauthorised, reportError } from "./report-error";

beforeAll(startLanguage);

let shown: Notice[] = [];
let disconnect: () => void;
beforeEach(() => {
  disconnect = connectToaster((notice) => shown.push(notice));
  // Clears messages that were queued for a toaster by earlier tests.
  shown = [];
});
afterEach(() => {
  disconnect();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const answer = async (status: number, body: string) => {
  vi.stubGlobal("fetch", async () => new Response(body, { status, statusText: "Teapot" }));
  await callApi("GET", "/api/thing").then(
    () => expect.unreachable("the call must fail"),
    (error: unknown) => reportError(error),
  );
};

it.each([
  [429, "", "Error: too many requests, please try again later!"],
  [500, "", "Error: internal server error, please contact the administrator!"],
  [404, '{"error":{"message":"Invalid URL (GET /api/thing)"}}', "Error: Invalid URL (GET /api/thing)"],
  [400, '{"success":false,"message":"无效的参数"}', "Error: 无效的参数"],
  [418, "", "Error: 服务器返回了 HTTP 状态 418"],
  [502, "<html>Bad Gateway</html>", "Error: 服务器返回了 HTTP 状态 502"],
  [200, '{"success":false,"message":"record not found"}', "record not found"],
  [200, "<html>", "Error: 无法识别服务器的响应"],
  [200, "{}", "Error: 无法识别服务器的响应"],
  [200, '{"data":[1]}', "Error: 无法识别服务器的响应"],
  [200, '{"message":"维护中"}', "维护中"],
])("tells of status %d with body %j", async (status, body, text) => {
  await answer(status, body);
  expect(shown).toMatchObject([{ kind: "error", text }]);
});

it("gives a reason of its own when the server refuses without one", async () => {
  await answer(200, '{"success":false}');
  expect(shown).toMatchObject([{ kind: "error", text: "操作失败，服务器没有说明原因。" }]);
});

it("only informs on 405", async () => {
  await answer(405, "");
  expect(shown).toMatchObject([{ kind: "info" }]);
});

it("adds no second line where the page is English", async () => {
  await chooseLanguage("en");
  await answer(429, "");
  expect(shown[0]?.detail).toBeUndefined();
  await chooseLanguage("zh-CN");
  await answer(429, "");
  expect(shown[1]?.detail).toBe("请求次数过多，请稍后再试！");
});

it("goes to the login page on 401 and forgets the user, without a toast", async () => {
  const redirect = vi.fn();
  onUnauthorised(redirect);
  localStorage.setItem("user", "{}");
  await answer(401, '{"success":false,"message":"无权进行此操作"}');
  expect(redirect).toHaveBeenCalledOnce();
  expect(localStorage.getItem("user")).toBeNull();
  expect(shown).toEqual([]);
});

it("names failures below HTTP", () => {
  reportError(new TypeError("Failed to fetch"));
  reportError("odd");
  expect(shown.map((notice) => notice.text)).toEqual(["Error: Failed to fetch", "odd"]);
});

it("takes a bare list for a success where one is expected, and an absent message for none", async () => {
  vi.stubGlobal("fetch", async () => new Response('{"object":"list","data":[{"id":"m"}]}'));
  expect((await callApi("GET", "/api/channel/models", { allowsBareList: true })).data).toEqual([{ id: "m" }]);
  vi.stubGlobal("fetch", async () => new Response('{"success":true,"message":null,"time":1.5}'));
  expect(await callApi("GET", "/api/channel/test/1/")).toMatchObject({ message: "", time: 1.5 });
});
