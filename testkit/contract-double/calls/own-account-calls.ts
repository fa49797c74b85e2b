import { editSelfBodySchema, topUpBodySchema } from "@tollgate/contract/api/own-account";
import { isRoot } from "@tollgate/contract/values/roles";
import { REDEMPTION_UNUSED, REDEMPTION_USED } from "@tollgate/contract/values/statuses";
import * as z from "zod/mini";
import { userAnswer } from "../answer-schemas";
import { type Calls, call, done, refuse } from "../call";
import { hidePassword } from "../stored-rows";

/** What people do with their own account. */
export const ownAccountCalls: Calls = {
  "GET /api/user/self": call({
    guard: "user",
    data: userAnswer,
    answer: ({ caller }) => done(hidePassword(caller)),
  }),
  "PUT /api/user/self": call({
    guard: "user",
    body: editSelfBodySchema.def.in,
    answer: ({ caller, body }) => {
      for (const name of ["username", "display_name", "password"] as const)
        if (body[name] !== "") caller[name] = body[name];
      return done();
    },
  }),
  "DELETE /api/user/self": call({
    guard: "user",
    answer: ({ world, caller }) => {
      if (isRoot(caller.role)) return refuse("不能删除超级管理员账户", "the root account cannot be deleted");
      world.users = world.users.filter((each) => each !== caller);
      return done();
    },
  }),
  "GET /api/user/token": call({
    guard: "user",
    data: z.string(),
    answer: () => done("00112233445566778899aabbccddeeff"),
  }),
  "GET /api/user/aff": call({
    guard: "user",
    data: z.string(),
    answer: ({ caller }) => done(caller.aff_code),
  }),
  "POST /api/user/topup": call({
    guard: "user",
    body: topUpBodySchema,
    data: z.int(),
    answer: ({ world, caller, body: { key } }) => {
      const code = world.redemptions.find((each) => each.key === key);
      if (!code) return refuse("兑换失败，无效的兑换码", "invalid code");
      if (code.status !== REDEMPTION_UNUSED)
        return refuse("兑换失败，该兑换码已被使用", "the code has been used");
      code.status = REDEMPTION_USED;
      caller.quota += code.quota;
      return done(code.quota);
    },
  }),
};
