import { readUser } from "@tollgate/contract/control/user";
import { expect, it } from "vitest";
import { toUserFields, toUserPatch, userFieldsSchema } from "./user-form";

const user = readUser({ id: 7, username: "alice", display_name: "Alice", group: "", quota: 1500 });
const before = user && toUserFields(user);

it("sends nothing but the id of an untouched form", () => {
  expect(before && toUserPatch(7, before, before)).toEqual({ id: 7 });
});

it("sends what was changed, the quota as a whole number", () => {
  expect(
    before && toUserPatch(7, { ...before, quota: "2000.9", group: " vip ", password: "12345678" }, before),
  ).toEqual({ id: 7, quota: 2000, group: "vip", password: "12345678" });
});

it.each(["", "-1", "many", "1e400"])("refuses the quota %j", (quota) => {
  const parsed = userFieldsSchema.safeParse({
    ...before,
    quota: quota === "1e400" ? "9".repeat(400) : quota,
  });
  expect(parsed.error?.issues.map((issue) => issue.message)).toEqual(["field.quotaInvalid"]);
});
