// @vitest-environment happy-dom
import { readUser } from "@tollgate/contract/control/user";
import { afterEach, expect, it } from "vitest";
import { currentUser, forgetUser, rememberUser } from "./session";

afterEach(() => localStorage.clear());

it("V1: remembers who is signed in, as one object for as long as nothing changes", () => {
  expect(currentUser()).toBeUndefined();
  const user = readUser({ id: 2, username: "bob", role: 10, status: 1 });
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
  "V1: takes the stored text %j for nobody",
  (text) => {
    localStorage.setItem("user", '{"id":2,"username":"bob","role":10,"status":1}');
    expect(currentUser()?.username).toBe("bob");
    localStorage.setItem("user", text);
    expect(currentUser()).toBeUndefined();
  },
);
