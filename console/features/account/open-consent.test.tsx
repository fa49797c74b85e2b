// @vitest-environment happy-dom
import { readStatus } from "@tollgate/contract/api/status";
import { SIGN_IN_METHODS, type SignInMethod } from "@tollgate/contract/sign-in/methods";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openConsent } from "./open-consent";

const STATUS = readStatus({ github_client_id: "client 1", server_address: "https://gate.example.com/" });

const [github] = SIGN_IN_METHODS;

/** GitHub with another page, like a method whose address comes from the server. */
const methodAt = (address: string, more: { isExtra?: true } = {}): SignInMethod => ({
  ...github,
  ...more,
  entry: {
    kind: "redirect",
    consent: (_: unknown, back: string) => ({ address, query: { redirect_uri: back } }),
  },
});

let asked: string[];
let opened: string[];

beforeEach(() => {
  asked = [];
  opened = [];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    return Response.json({ success: true, message: "", data: "the state" });
  });
  vi.spyOn(window.location, "assign").mockImplementation((address) => void opened.push(String(address)));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("opens a method's page with the state that the server gave", async () => {
  await openConsent(github, STATUS);
  expect(asked.map((address) => new URL(address, "http://x").pathname)).toEqual(["/api/oauth/state"]);
  const page = new URL(opened[0] ?? "");
  expect(page.origin + page.pathname).toBe("https://github.com/login/oauth/authorize");
  expect(Object.fromEntries(page.searchParams)).toEqual({
    client_id: "client 1",
    scope: "user:email",
    state: "the state",
  });
});

it("tells a method where it sends people back to, keeps its query, and asks for a state of its own", async () => {
  await openConsent(methodAt("https://method.example.com/consent?a=1", { isExtra: true }), STATUS);
  expect(asked[0]).toMatch(/\/api\/oauth\/state\/?\?method=github$/);
  expect(opened).toEqual([
    "https://method.example.com/consent?a=1&redirect_uri=https%3A%2F%2Fgate.example.com%2Foauth%2Fgithub&state=the+state",
  ]);
});

it.each(["javascript:alert(1)", "data:text/html,x", "/setting", ""])(
  "opens nothing that is no page: %j",
  async (address) => {
    await openConsent(methodAt(address), STATUS);
    expect([asked, opened]).toEqual([[], []]);
  },
);
