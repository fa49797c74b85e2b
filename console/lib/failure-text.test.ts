// @vitest-environment happy-dom
import { beforeAll, expect, it } from "vitest";
import { HttpError, RefusedError, UnreadableError } from "./api-client";
import { failureText } from "./failure-text";
import { chooseLanguage, startLanguage } from "./i18n";

beforeAll(startLanguage);

const FAILURES: [Error, string, string][] = [
  [new UnreadableError("not an envelope"), "无法识别服务器的响应", "the server's answer could not be read"],
  [new HttpError(502, ""), "服务器返回了 HTTP 状态 502", "the server answered with HTTP status 502"],
  [new HttpError(404, "没有此页"), "没有此页", "没有此页"],
  [
    new RefusedError("", { success: false, message: "" }),
    "操作失败，服务器没有说明原因。",
    "That failed, and the server gave no reason.",
  ],
  [new HttpError(429, ""), "请求次数过多，请稍后再试！", "Error: too many requests, please try again later!"],
  [new TypeError("Failed to fetch"), "Failed to fetch", "Failed to fetch"],
  [
    new TypeError("Failed to fetch dynamically imported module: http://127.0.0.1/assets/run.js"),
    "页面代码没有取到：网络可能中断，或刚刚部署了新版本。请稍后重试，或刷新页面。",
    "The code of this page did not load: the network may be down, or a new version was just deployed. Try again shortly, or reload the page.",
  ],
];

it("T10: says in the page's language why something failed, and nothing that code says to code", async () => {
  await chooseLanguage("zh-CN");
  expect(FAILURES.map(([error]) => failureText(error))).toEqual(FAILURES.map(([, chinese]) => chinese));
  await chooseLanguage("en");
  expect(FAILURES.map(([error]) => failureText(error))).toEqual(FAILURES.map(([, , english]) => english));
  await chooseLanguage("zh-CN");
});
