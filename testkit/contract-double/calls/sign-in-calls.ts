import { getOauthState, logIn, logOut } from "@tollgate/contract/api/session";
import {
  bindByCode,
  bindEmail,
  register,
  requestReset,
  resetPassword,
  sendEmailCode,
  signInByCode,
  signInByRedirect,
} from "@tollgate/contract/api/sign-in";
import type { UserWire } from "@tollgate/contract/api/user";
import { SIGN_IN_METHODS, type SignInMethod } from "@tollgate/contract/sign-in/methods";
import { ROLE_USER } from "@tollgate/contract/values/roles";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import * as z from "zod/mini";
import { userAnswer } from "../answer-schemas";
import { answers, type CallContext, type Calls, done, type Reply, refuse } from "../call";
import { makeUser } from "../sample-rows";
import { nextId } from "../select-rows";
import { BLANK_USER, type StoredUser } from "../stored-rows";
import type { World } from "../world";

/** The session that a user gets, and the user with the identifying fields alone. */
const signIn = ({ id, username, display_name, role, status }: StoredUser): Reply<UserWire> => ({
  kind: "done",
  data: { ...BLANK_USER, id, username, display_name, role, status },
  cookie: `session=${id}; Path=/; HttpOnly; SameSite=Lax`,
});

/** The user who signs in with an external account, for any code; undefined when the world has no such user. */
const findOutsider = (world: World): StoredUser | undefined =>
  world.users.find(({ username }) => username === "alice");

const comeBack = {
  data: userAnswer,
  answer: ({ world, caller, query }: CallContext<"none", unknown>): Reply<UserWire> => {
    if (caller) return { kind: "bare", body: { success: true, message: "bind" } };
    const user = findOutsider(world);
    return user && query.get("code") === "good" ? signIn(user) : refuse("无效的参数", "invalid parameter");
  },
};

const typeCode = {
  data: userAnswer,
  answer: ({ world, query }: CallContext<"none", unknown>): Reply<UserWire> => {
    const user = findOutsider(world);
    return user && query.get("code") === "123456" ? signIn(user) : refuse("验证码错误或已过期", "wrong code");
  },
};

const callsOf = (method: SignInMethod): Calls =>
  method.entry.kind === "redirect"
    ? answers(signInByRedirect(method), comeBack)
    : {
        ...answers(signInByCode(method), typeCode),
        ...answers(bindByCode(method), { answer: () => done() }),
      };

/** Coming in and going out, with a password or through another service. */
export const signInCalls: Calls = {
  ...answers(logIn, {
    data: userAnswer,
    answer: ({ world, body: { username, password } }) => {
      const found = world.users.find((each) => each.username === username && each.password === password);
      return found?.status === USER_ENABLED
        ? signIn(found)
        : refuse("用户名或密码错误，或用户已被封禁", "wrong username or password, or the user is banned");
    },
  }),
  ...answers(logOut, {
    answer: () => ({ kind: "done", data: undefined, cookie: "session=; Path=/; Max-Age=0" }),
  }),
  ...answers(register, {
    answer: ({ world, body: { username, password } }) => {
      if (world.users.some((each) => each.username === username))
        return refuse("用户名已被占用", "username taken");
      world.users.push(makeUser(nextId(world.users), username, ROLE_USER, { password }));
      return done();
    },
  }),
  ...answers(sendEmailCode, { answer: () => done() }),
  ...answers(requestReset, { answer: () => done() }),
  ...answers(resetPassword, {
    data: z.string(),
    answer: () => done("0123456789ab"),
  }),
  ...answers(getOauthState, { data: z.string(), answer: () => done("abcdefghijkl") }),
  ...Object.assign({}, ...SIGN_IN_METHODS.map(callsOf)),
  ...answers(bindEmail, { answer: () => done() }),
};
