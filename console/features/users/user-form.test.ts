import { user as format, type User } from "@tollgate/contract/api/user";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { expect, it } from "vitest";
import { toUserBody, toUserFields, userFieldsSchema } from "./user-form";

const user = format.read({
  id: 7,
  username: "alice",
  display_name: "Alice",
  email: "alice@example.com",
  github_id: "gh",
  wechat_id: "wx",
  group: "",
  quota: 1500,
  used_quota: 12,
  role: 10,
  status: 2,
}) as User;
const before = toUserFields(user);

it("T5: sends the user's fields and the id, also of an untouched form", () => {
  expect(toUserBody(user, before, before)).toEqual({
    id: 7,
    username: "alice",
    password: "",
    display_name: "Alice",
    email: "alice@example.com",
    github_id: "gh",
    wechat_id: "wx",
    group: "default",
    quota: 1500,
    original_quota: 1500,
  });
});

it("T5: sends an unedited quota with its current value, and the same value as the original", () => {
  expect(toUserBody({ ...user, quota: 900 }, before, before)).toMatchObject({
    quota: 900,
    original_quota: 900,
  });
});

it("sends unedited fields as they are stored by now, because another administrator may have changed them", () => {
  const now = { ...user, username: "alicia", displayName: "Alicia", group: "vip", quota: 900 };
  expect(toUserBody(now, { ...before, quota: "2000" }, before)).toMatchObject({
    username: "alicia",
    display_name: "Alicia",
    group: "vip",
    quota: 2000,
  });
  expect(toUserBody(now, { ...before, displayName: "Al", groups: ["pro"] }, before)).toMatchObject({
    username: "alicia",
    display_name: "Al",
    group: "pro",
    quota: 900,
  });
});

it("sends the changed fields, the quota as a whole number, several groups as a comma list", () => {
  const fields = { ...before, quota: "2000.9", groups: ["vip", " svip "], password: "12345678" };
  const body = toUserBody({ ...user, quota: 900 }, fields, before);
  expect(body).toMatchObject({ id: 7, quota: 2000, group: "vip,svip", password: "12345678" });
  expect(body).not.toHaveProperty("original_quota");
});

it("sends aliases only when they were changed, as another server does not know them", () => {
  const now = { ...user, modelAliases: '{"a":"m"}' };
  const shown = toUserFields(now);
  expect(toUserBody(now, shown, shown)).not.toHaveProperty("model_aliases");
  expect(toUserBody(now, { ...shown, modelAliases: "" }, shown)).toMatchObject({ model_aliases: "" });
  expect(userFieldsSchema.safeParse({ ...shown, modelAliases: '{"a*b":"m"}' }).success).toBe(false);
});

it("V1: sends names without the blanks around them", () => {
  const body = toUserBody(user, { ...before, username: " al ", displayName: " Al " }, before);
  expect(body).toMatchObject({ username: "al", display_name: "Al" });
});

it.each([0, MAX_QUOTA])("V1: takes the quota %d", (quota) => {
  const fields = { ...before, quota: String(quota) };
  expect(userFieldsSchema.safeParse(fields).success).toBe(true);
  expect(toUserBody(user, fields, before).quota).toBe(quota);
});

it("reads a quota with an exponent as its whole number", () => {
  expect(toUserBody(user, { ...before, quota: "1e5" }, before).quota).toBe(100_000);
});

it.each(["", "-1", "many", "1,000", "1e400"])("refuses the quota %j", (quota) => {
  const parsed = userFieldsSchema.safeParse({
    ...before,
    quota: quota === "1e400" ? "9".repeat(400) : quota,
  });
  expect(parsed.error?.issues.map((issue) => issue.message)).toEqual(["field.wholeNumber"]);
});
