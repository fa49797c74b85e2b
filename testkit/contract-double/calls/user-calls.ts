import {
  createUserBodySchema,
  manageUserBodySchema,
  type UserAction,
  updateUserBodySchema,
} from "@tollgate/contract/api/users";
import { ROLE_ADMIN, ROLE_USER } from "@tollgate/contract/values/roles";
import { USER_DISABLED, USER_ENABLED } from "@tollgate/contract/values/statuses";
import * as z from "zod/mini";
import { userAnswer } from "../answer-schemas";
import { type Calls, call, done, MISSING, refuse } from "../call";
import { makeUser } from "../sample-rows";
import { newestFirst, nextId, pageOf } from "../select-rows";
import { BLANK_USER, hidePassword, type StoredUser } from "../stored-rows";

const CHANGES: Readonly<Record<UserAction, Partial<StoredUser>>> = {
  promote: { role: ROLE_ADMIN },
  demote: { role: ROLE_USER },
  enable: { status: USER_ENABLED },
  disable: { status: USER_DISABLED },
  delete: {},
};

/** The users, for administrators. */
export const userCalls: Calls = {
  "GET /api/user": call({
    guard: "admin",
    data: z.array(userAnswer),
    answer: ({ world, query, dialect }) =>
      done(pageOf(newestFirst(world.users), query, dialect.rowsPerPage).map(hidePassword)),
  }),
  "GET /api/user/search": call({
    guard: "admin",
    data: z.array(userAnswer),
    answer: ({ world, query }) => {
      const keyword = query.get("keyword") ?? "";
      const found = world.users.filter(
        ({ id, username }) => String(id) === keyword || username.startsWith(keyword),
      );
      return done(found.map(hidePassword));
    },
  }),
  "GET /api/user/:id": call({
    guard: "admin",
    data: userAnswer,
    answer: ({ world, id }) => {
      const found = world.users.find((each) => each.id === id);
      return found ? done(hidePassword(found)) : MISSING;
    },
  }),
  "POST /api/user": call({
    guard: "admin",
    body: createUserBodySchema.def.in,
    answer: ({ world, body: { username, password, display_name } }) => {
      const display = display_name || username;
      world.users.push(
        makeUser(nextId(world.users), username, ROLE_USER, { password, display_name: display }),
      );
      return done();
    },
  }),
  "PUT /api/user": call({
    guard: "admin",
    body: updateUserBodySchema.def.in,
    answer: ({ world, body: { id, original_quota: _shown, ...change } }) => {
      const target = world.users.find((each) => each.id === id);
      if (!target) return MISSING;
      // 0, "" and what is absent leave a field as it is.
      for (const [name, value] of Object.entries(change)) if (value) Object.assign(target, { [name]: value });
      return done();
    },
  }),
  "POST /api/user/manage": call({
    guard: "admin",
    body: manageUserBodySchema,
    data: userAnswer,
    answer: ({ world, caller, body: { username, action } }) => {
      const target = world.users.find((each) => each.username === username);
      if (!target) return refuse("用户不存在", "no such user");
      if (target.role >= caller.role)
        return refuse("无权更新同权限等级或更高权限等级的用户信息", "not permitted");
      Object.assign(target, CHANGES[action]);
      if (action === "delete") world.users = world.users.filter((each) => each !== target);
      return done({ ...BLANK_USER, status: target.status, role: target.role });
    },
  }),
};
