import { loginBodySchema } from "@tollgate/contract/api/session";
import { registerBodySchema, resetPasswordBodySchema } from "@tollgate/contract/api/sign-in";
import type { UserWire } from "@tollgate/contract/api/user";
import { SIGN_IN_METHODS } from "@tollgate/contract/sign-in/methods";
import { ROLE_USER } from "@tollgate/contract/values/roles";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import * as z from "zod/mini";
import { userAnswer } from "../answer-schemas";
import { type Calls, call, done, type Reply, refuse } from "../call";
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

/** Who signs in with an account elsewhere, whatever the code; undefined when the world has nobody of this name. */
const findOutsider = (world: World): StoredUser | undefined =>
  world.users.find(({ username }) => username === "alice");

const comeBack = call({
  guard: "none",
  data: userAnswer,
  answer: ({ world, caller, query }) => {
    if (caller) return { kind: "bare", body: { success: true, message: "bind" } };
    const user = findOutsider(world);
    return user && query.get("code") === "good" ? signIn(user) : refuse("无效的参数", "invalid parameter");
  },
});

const typeCode = call({
  guard: "none",
  data: userAnswer,
  answer: ({ world, query }) => {
    const user = findOutsider(world);
    return user && query.get("code") === "123456" ? signIn(user) : refuse("验证码错误或已过期", "wrong code");
  },
});

/** The calls of every sign-in method. */
const callsOfMethods = (): Calls =>
  Object.fromEntries(
    SIGN_IN_METHODS.flatMap(({ name, entry }) =>
      entry.kind === "redirect"
        ? [[`GET /api/oauth/${name}`, comeBack]]
        : [
            [`GET /api/oauth/${name}`, typeCode],
            [`GET /api/oauth/${name}/bind`, call({ guard: "user", answer: () => done() })],
          ],
    ),
  );

/** Coming in and going out, with a password or through another service. */
export const signInCalls: Calls = {
  "POST /api/user/login": call({
    guard: "none",
    body: loginBodySchema,
    data: userAnswer,
    answer: ({ world, body: { username, password } }) => {
      const found = world.users.find((each) => each.username === username && each.password === password);
      return found?.status === USER_ENABLED
        ? signIn(found)
        : refuse("用户名或密码错误，或用户已被封禁", "wrong username or password, or the user is banned");
    },
  }),
  "GET /api/user/logout": call({
    guard: "none",
    answer: () => ({ kind: "done", data: undefined, cookie: "session=; Path=/; Max-Age=0" }),
  }),
  "POST /api/user/register": call({
    guard: "none",
    body: registerBodySchema.def.in,
    answer: ({ world, body: { username, password } }) => {
      if (world.users.some((each) => each.username === username))
        return refuse("用户名已被占用", "username taken");
      world.users.push(makeUser(nextId(world.users), username, ROLE_USER, { password }));
      return done();
    },
  }),
  "GET /api/verification": call({ guard: "none", answer: () => done() }),
  "GET /api/reset_password": call({ guard: "none", answer: () => done() }),
  "POST /api/user/reset": call({
    guard: "none",
    body: resetPasswordBodySchema,
    data: z.string(),
    answer: () => done("0123456789ab"),
  }),
  "GET /api/oauth/state": call({ guard: "none", data: z.string(), answer: () => done("abcdefghijkl") }),
  ...callsOfMethods(),
  "GET /api/oauth/email/bind": call({ guard: "user", answer: () => done() }),
};
