import { describe, expect, it } from "vitest";
import { parse } from "zod/mini";
import { SIGN_IN_METHODS } from "../sign-in/methods";
import { registerBodySchema } from "./sign-in";
import { encodeUserBody, user as format, loginUserOf } from "./user";

const WIRE = {
  id: 7,
  username: "alice",
  password: "",
  display_name: "Alice",
  role: 10,
  status: 1,
  email: "alice@example.com",
  github_id: "583231",
  wechat_id: "wx-1",
  quota: 500,
  used_quota: 20,
  request_count: 3,
  group: "default,vip",
  aff_code: "AB12",
  inviter_id: 2,
};

describe("a user", () => {
  it("has the contract's names on the wire, in their order, with its access token where it is given alone", () => {
    const user = format.read({ ...WIRE, access_token: "secret", rpm: 5, model_aliases: '{"a":"b"}' });
    if (!user) throw new Error("the user is not read");
    expect(user).not.toHaveProperty("accessToken");
    const notBound = Object.fromEntries(SIGN_IN_METHODS.map(({ userField }) => [userField, ""]));
    const expected = { ...notBound, ...WIRE, verification_code: "", access_token: "", rpm: 5 };
    const aliases = { model_aliases: '{"a":"b"}' };
    expect(JSON.parse(JSON.stringify(format.encode(user)))).toEqual({ ...expected, ...aliases });
    expect(format.encode({ ...user, accessToken: "token" }).access_token).toBe("token");
    expect(Object.keys(format.encode({ ...user, limits: undefined, modelAliases: "" }))).toEqual([
      "id",
      "username",
      "password",
      "display_name",
      "role",
      "status",
      "email",
      // "github_id", "wechat_id" …
      ...SIGN_IN_METHODS.map(({ userField }) => userField),
      "verification_code",
      "access_token",
      "quota",
      "used_quota",
      "request_count",
      "group",
      "aff_code",
      "inviter_id",
    ]);
  });

  it("is read with every field of the specification", () => {
    expect(format.read(WIRE)).toEqual({
      id: 7,
      username: "alice",
      displayName: "Alice",
      role: 10,
      status: 1,
      email: "alice@example.com",
      identities: { github: "583231", wechat: "wx-1" },
      quota: 500,
      usedQuota: 20,
      requestCount: 3,
      group: "default,vip",
      affCode: "AB12",
      inviterId: 2,
    });
  });

  it("whose optional fields are missing, null or text keeps the known ones", () => {
    const user = format.read({ id: "7", username: "alice", role: 1, quota: null, unknown: true });
    expect(user).toMatchObject({ id: 7, username: "alice", quota: 0, group: "", email: "" });
    expect(format.read("no user")).toBeUndefined();
  });

  it("is remembered by a browser with its numeric role, and without anything private", () => {
    const user = format.read(WIRE);
    expect(user && format.encode(loginUserOf(user))).toMatchObject({
      id: 7,
      username: "alice",
      role: 10,
      password: "",
      email: "",
      access_token: "",
    });
  });
});

describe("a registration", () => {
  it("has the fields of the specification, of which password2 is the browser's alone", () => {
    const payload = {
      username: "alice",
      password: "12345678",
      password2: "12345678",
      email: "a@example.com",
      verification_code: "123456",
      aff_code: "AB12",
    };
    const { password2: _, ...kept } = payload;
    const read = parse(registerBodySchema, payload);
    expect(read).toMatchObject({ verificationCode: "123456", affCode: "AB12" });
    expect(encodeUserBody(read)).toEqual(kept);
    expect(parse(registerBodySchema, { username: "alice", password: "12345678" })).toEqual({
      username: "alice",
      password: "12345678",
      email: "",
      verificationCode: "",
      affCode: "",
    });
  });
});
