// @vitest-environment happy-dom
import { user as format } from "@tollgate/contract/api/user";
import { afterEach, expect, it, vi } from "vitest";
import { cleanup, renderHook } from "../testing/draw";
import { currentUser, forgetUser, rememberUser, useSession } from "./session";

afterEach(() => localStorage.clear());

it("V1: reads the stored user once for as long as it stays the same", () => {
  localStorage.setItem("user", '{"id":2,"username":"bob","role":10,"status":1}');
  const parse = vi.spyOn(JSON, "parse");
  expect([currentUser()?.id, currentUser()?.id]).toEqual([2, 2]);
  expect(parse).toHaveBeenCalledTimes(1);
  localStorage.removeItem("user");
  expect([currentUser(), currentUser()]).toEqual([undefined, undefined]);
  // A missing text is not parsed.
  expect(parse).toHaveBeenCalledTimes(1);
  parse.mockRestore();
});

it("V1: tells a guest, a user, an administrator and root apart", () => {
  const roles = [0, 1, 10, 100].map((role) => {
    if (role > 0) localStorage.setItem("user", `{"id":2,"username":"bob","role":${role},"status":1}`);
    const { current } = renderHook(useSession, undefined, (caller) => caller);
    const { isAdmin, isRoot, user } = current();
    cleanup();
    return [user?.role, isAdmin, isRoot];
  });
  expect(roles).toEqual([
    [undefined, false, false],
    [1, false, false],
    [10, true, false],
    [100, true, true],
  ]);
});

it("V1: remembers who is signed in, as one object for as long as nothing changes", () => {
  expect(currentUser()).toBeUndefined();
  const user = format.read({ id: 2, username: "bob", role: 10, status: 1 });
  if (!user) throw new Error("no user");
  rememberUser(user);
  expect(currentUser()).toMatchObject({ id: 2, username: "bob", role: 10 });
  expect(currentUser()).toBe(currentUser());
  rememberUser({ ...user, username: "bobby" });
  expect(currentUser()?.username).toBe("bobby");
  forgetUser();
  expect(currentUser()).toBeUndefined();
});

it.each(["{", '"bob"', "{}", '{"id":2,"username":"","role":10,"status":1}', "null"])(
  "V1: accepts no user from the stored text %j",
  (text) => {
    localStorage.setItem("user", '{"id":2,"username":"bob","role":10,"status":1}');
    expect(currentUser()?.username).toBe("bob");
    localStorage.setItem("user", text);
    expect(currentUser()).toBeUndefined();
  },
);
