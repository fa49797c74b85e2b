// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { screen, waitFor } from "../testing/draw";
import { openConsole } from "../testing/open-console";

const ALICE = { id: 1, username: "alice", role: 1, status: 1 };
const BOB = { id: 2, username: "bob", role: 1, status: 1 };
const key = (name: string) => ({ id: 5, name, key: "k", status: 1, created_time: 1, expired_time: -1 });

/** A server that knows one user at a time by the session cookie; the answers of Bob's keys never arrive. */
const openAsAlice = async (path: string) => {
  const session = { user: "alice" };
  const stage = await openConsole(
    path,
    {
      "GET /api/token/": () =>
        session.user === "alice" ? [key("Alice's key")] : new Promise(() => undefined),
      "GET /api/user/self": () => ({ ...(session.user === "alice" ? ALICE : BOB), quota: 1 }),
      "POST /api/user/login": () => {
        session.user = "bob";
        return BOB;
      },
    },
    1,
  );
  const go = (to: string) => stage.router.history.push(to);
  const isAt = (path: string) => waitFor(() => expect(stage.router.state.location.pathname).toBe(path));
  /** Another tab stores a user, or forgets the one of before. */
  const changeInOtherTab = (user: object | undefined) => {
    if (user) localStorage.setItem("user", JSON.stringify(user));
    else localStorage.removeItem("user");
    session.user = "bob";
    window.dispatchEvent(new StorageEvent("storage", { key: "user" }));
  };
  return { ...stage, go, isAt, changeInOtherTab };
};

it("shows nothing of the former user after another one signs in", async () => {
  const stage = await openAsAlice("/token");
  await screen.findByText("Alice's key");
  stage.go("/login");
  await stage.person.type(await screen.findByLabelText("用户名"), "bob");
  await stage.person.type(screen.getByLabelText("密码"), "12345678{Enter}");
  await stage.isAt("/token");
  await screen.findByRole("heading", { level: 1, name: /令牌/ });
  expect(screen.queryByText("Alice's key")).toBeNull();
});

it.each([
  ["signs in as another user", BOB, "/"],
  ["signs out", undefined, "/login"],
])("leaves the user's page and data when another tab %s", async (_, user, target) => {
  const stage = await openAsAlice("/token");
  await screen.findByText("Alice's key");
  stage.changeInOtherTab(user);
  await stage.isAt(target);
  localStorage.setItem("user", JSON.stringify(BOB));
  stage.go("/token");
  await stage.isAt("/token");
  await screen.findByRole("heading", { level: 1, name: /令牌/ });
  expect(screen.queryByText("Alice's key")).toBeNull();
});

it("reads the start page again if it was open when another tab signs in as another user", async () => {
  const stage = await openAsAlice("/");
  const reads = () => stage.calls.filter(({ call }) => call.startsWith("GET /api/user/self")).length;
  await waitFor(() => expect(reads()).toBeGreaterThan(0));
  const before = reads();
  stage.changeInOtherTab(BOB);
  await waitFor(() => expect(reads()).toBeGreaterThan(before));
});

it("leaves a changed form without asking, because another user cannot save it", async () => {
  const stage = await openAsAlice("/token/add");
  await stage.person.type(screen.getByLabelText(/^名称/), "typed");
  stage.changeInOtherTab(BOB);
  await stage.isAt("/");
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("stays on the page when another tab changes something else, or the user's name", async () => {
  const stage = await openAsAlice("/token");
  await screen.findByText("Alice's key");
  stage.changeInOtherTab({ ...ALICE, username: "alicia" });
  await screen.findByRole("button", { name: "alicia" });
  expect(screen.getByText("Alice's key")).toBeTruthy();
});
