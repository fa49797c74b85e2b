// @vitest-environment happy-dom
import { QueryClientProvider } from "@tanstack/react-query";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { loadTexts, startLanguage } from "../../lib/i18n";
import { connectToaster, type Notice } from "../../lib/notify";
import { createQueryClient } from "../../lib/query-client";
import { cleanup, render, screen, waitFor } from "../../testing/draw";
import { TopupPage } from "./topup-page";

let shown: Notice[] = [];
let redeem: () => Promise<Response>;

beforeAll(async () => {
  await startLanguage();
  await loadTexts(["orders"]);
});
beforeEach(() => {
  localStorage.clear();
  shown = [];
  connectToaster((notice) => shown.push(notice));
  redeem = async () => Response.json({ success: true, message: "", data: 2500 });
  vi.stubGlobal("fetch", async (address: string) => {
    if (address.endsWith("/api/user/topup")) return redeem();
    return Response.json({ success: true, message: "", data: { id: 1, username: "a", quota: 1000 } });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const open = async () => {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TopupPage />
    </QueryClientProvider>,
  );
  await screen.findByText("1000");
  return userEvent.setup();
};

it("adds the code's quota to the balance, and is busy until then", async () => {
  const person = await open();
  let answer: (response: Response) => void = () => undefined;
  redeem = vi.fn(
    () =>
      new Promise<Response>((resolve) => {
        answer = resolve;
      }),
  );
  await person.type(screen.getByLabelText("兑换码"), "abc");
  await person.click(screen.getByRole("button", { name: "兑换" }));
  const busy = screen.getByRole("button", { name: "兑换中..." });
  expect(busy.getAttribute("aria-disabled")).toBe("true");
  await person.click(busy);
  expect(redeem).toHaveBeenCalledTimes(1);
  answer(Response.json({ success: true, message: "", data: 2500 }));
  expect(await screen.findByText("3500")).toBeTruthy();
  expect(screen.getByLabelText("兑换码")).toHaveProperty("value", "");
});

it("names faults in the specification's words", async () => {
  const person = await open();
  const press = (name: string) => person.click(screen.getByRole("button", { name }));
  await press("兑换");
  await press("获取兑换码");
  redeem = () => Promise.reject(new TypeError("Failed to fetch"));
  await person.type(screen.getByLabelText("兑换码"), "abc");
  await press("兑换");
  await waitFor(() => expect(shown).toHaveLength(3));
  redeem = async () => Response.json({ success: false, message: "兑换失败，无效的兑换码" });
  await press("兑换");
  await waitFor(() => expect(shown).toHaveLength(4));
  expect(shown.map(({ kind, text }) => [kind, text])).toEqual([
    ["warning", "请输入充值码！"],
    ["error", "超级管理员未设置充值链接！"],
    ["error", "请求失败"],
    ["error", "兑换失败，无效的兑换码"],
  ]);
  expect(screen.getByText("1000")).toBeTruthy();
});
