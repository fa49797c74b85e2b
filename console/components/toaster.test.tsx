// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startLanguage } from "../lib/i18n";
import { notify } from "../lib/notify";
import { act, cleanup, fireEvent, render, screen } from "../testing/draw";
import { Toaster } from "./toaster";

beforeAll(startLanguage);
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const open = () =>
  act(() =>
    render(
      <QueryClientProvider client={new QueryClient()}>
        <Toaster />
      </QueryClientProvider>,
    ),
  );
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const toast = (text: string) => screen.queryByText(text)?.closest("article");

describe("a toast", () => {
  it.each([
    ["success", 1500],
    ["info", 3000],
    ["error", 5000],
    ["warning", 10_000],
  ] as const)("of %s closes by itself after %i ms", async (kind, timeoutMs) => {
    await open();
    await act(() => notify[kind]("message"));
    await pass(timeoutMs - 1);
    expect(toast("message")).toBeTruthy();
    await pass(1);
    expect(toast("message")).toBeFalsy();
  });

  it("of notice stays, past 20000 ms, until it is closed", async () => {
    await open();
    await act(() => notify.notice("message"));
    await pass(20_000);
    await pass(3_600_000);
    expect(toast("message")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "关闭" }));
    expect(toast("message")).toBeFalsy();
  });

  it("says a repeated message once, for its whole time again", async () => {
    await open();
    await act(() => notify.error("message", "detail"));
    await pass(4000);
    await act(() => notify.error("message", "detail"));
    await act(() => notify.error("message", "another detail"));
    expect(screen.getAllByText("message")).toHaveLength(2);
    await pass(4000);
    expect(screen.getAllByText("message")).toHaveLength(2);
    await pass(1000);
    expect(toast("message")).toBeFalsy();
  });

  it("does not close under the pointer", async () => {
    await open();
    await act(() => notify.success("message"));
    await act(() => fireEvent.pointerOver(toast("message") as HTMLElement));
    await pass(60_000);
    expect(toast("message")).toBeTruthy();
    await act(() => fireEvent.pointerOut(toast("message") as HTMLElement));
    await pass(1500);
    expect(toast("message")).toBeFalsy();
  });

  it("that came before the toaster is shown once it is there", async () => {
    notify.error("early");
    await open();
    expect(toast("early")).toBeTruthy();
  });

  it("makes room for newer ones beyond five", async () => {
    await open();
    await act(() => {
      for (let number = 1; number <= 6; number += 1) notify.warning(`message ${number}`);
    });
    expect(screen.getAllByRole("article")).toHaveLength(5);
    expect(toast("message 1")).toBeFalsy();
  });
});
