import {
  changeUser,
  createUser,
  getUser,
  listUsers,
  manageUser,
  searchUsers,
  type UserAction,
} from "@tollgate/contract/api/users";
import { ROLE_ADMIN, ROLE_USER } from "@tollgate/contract/values/roles";
import { USER_DISABLED, USER_ENABLED } from "@tollgate/contract/values/statuses";
import * as z from "zod/mini";
import { userAnswer } from "../answer-schemas";
import { answers, type Calls, done, MISSING, refuse } from "../call";
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
  ...answers(listUsers, {
    data: z.array(userAnswer),
    answer: ({ world, query, dialect }) =>
      done(pageOf(newestFirst(world.users), query, dialect.rowsPerPage).map(hidePassword)),
  }),
  ...answers(searchUsers, {
    data: z.array(userAnswer),
    answer: ({ world, query }) => {
      const keyword = query.get("keyword") ?? "";
      const found = world.users.filter(
        ({ id, username }) => String(id) === keyword || username.startsWith(keyword),
      );
      return done(found.map(hidePassword));
    },
  }),
  ...answers(getUser, {
    data: userAnswer,
    answer: ({ world, id }) => {
      const found = world.users.find((each) => each.id === id);
      return found ? done(hidePassword(found)) : MISSING;
    },
  }),
  ...answers(createUser, {
    answer: ({ world, body: { username, password, display_name } }) => {
      const display = display_name || username;
      world.users.push(
        makeUser(nextId(world.users), username, ROLE_USER, { password, display_name: display }),
      );
      return done();
    },
  }),
  ...answers(changeUser, {
    answer: ({ world, body: { id, original_quota: _shown, ...change } }) => {
      const target = world.users.find((each) => each.id === id);
      if (!target) return MISSING;
      // 0, "" and absent values leave a field unchanged.
      for (const [name, value] of Object.entries(change)) if (value) Object.assign(target, { [name]: value });
      return done();
    },
  }),
  ...answers(manageUser, {
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
