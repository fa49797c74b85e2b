// @vitest-environment happy-dom

import { expect, it } from "vitest";
import { waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

it("shows the sum of the filters that are set, and never that of the ones before", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const stage = await openConsole("/log?token=a", {
    "*": async (_body: unknown, call: string) => {
      if (!call.startsWith("GET /api/log/stat")) return [];
      if (call.includes("token_name=b")) await held;
      return { quota: call.includes("token_name=b") ? 1_000_000 : 500_000 };
    },
  });
  const button = document.querySelector<HTMLButtonElement>("h1 button");
  if (button === null) throw new Error("no total");
  const shown = () => document.querySelector("h1 button")?.textContent ?? "";
  await stage.person.click(button);
  await waitFor(() => expect(shown()).toContain("500.0k"));
  await stage.router.navigate({ to: "/log", search: { token: "b" } });
  await waitFor(() => expect(stage.calls.some(({ call }) => /log\/[?].*token_name=b/.test(call))).toBe(true));
  await waitFor(() => expect(shown()).not.toContain("500.0k"));
  await stage.person.click(document.querySelector("h1 button") as HTMLButtonElement);
  await waitFor(() => expect(stage.calls.some(({ call }) => /stat.*token_name=b/.test(call))).toBe(true));
  expect(shown()).not.toContain("500.0k");
  release();
  await waitFor(() => expect(shown()).toContain("1.0M"));
});
