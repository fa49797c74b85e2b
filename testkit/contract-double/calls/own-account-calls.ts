import {
  changeSelf,
  deleteSelf,
  getInviteCode,
  getSelf,
  redeemCode,
  replaceAccessToken,
} from "@tollgate/contract/api/own-account";
import { isRoot } from "@tollgate/contract/values/roles";
import { REDEMPTION_UNUSED, REDEMPTION_USED } from "@tollgate/contract/values/statuses";
import * as z from "zod/mini";
import { userAnswer } from "../answer-schemas";
import { answers, type Calls, done, refuse } from "../call";
import { hidePassword } from "../stored-rows";

/** Calls of users for their own account. */
export const ownAccountCalls: Calls = {
  ...answers(getSelf, {
    data: userAnswer,
    answer: ({ caller }) => done(hidePassword(caller)),
  }),
  ...answers(changeSelf, {
    answer: ({ caller, body }) => {
      for (const name of ["username", "display_name", "password"] as const)
        caller[name] = body[name] || caller[name];
      return done();
    },
  }),
  ...answers(deleteSelf, {
    answer: ({ world, caller }) => {
      if (isRoot(caller.role)) return refuse("不能删除超级管理员账户", "the root account cannot be deleted");
      world.users = world.users.filter((each) => each !== caller);
      return done();
    },
  }),
  ...answers(replaceAccessToken, {
    data: z.string(),
    answer: () => done("00112233445566778899aabbccddeeff"),
  }),
  ...answers(getInviteCode, {
    data: z.string(),
    answer: ({ caller }) => done(caller.aff_code),
  }),
  ...answers(redeemCode, {
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
