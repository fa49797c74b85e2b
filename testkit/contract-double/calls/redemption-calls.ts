import {
  changeRedemption,
  createRedemptions,
  deleteRedemption,
  getRedemption,
  listRedemptions,
  searchRedemptions,
} from "@tollgate/contract/api/redemptions";
import { REDEMPTION_UNUSED } from "@tollgate/contract/values/statuses";
import * as z from "zod/mini";
import { redemptionAnswer } from "../answer-schemas";
import { answers, type Calls, done, MISSING } from "../call";
import { newestFirst, nextId, pageOf } from "../select-rows";
import { nowSeconds } from "../world";

/** The codes that add quota, for administrators. */
export const redemptionCalls: Calls = {
  ...answers(listRedemptions, {
    data: z.array(redemptionAnswer),
    answer: ({ world, query, dialect }) =>
      done(pageOf(newestFirst(world.redemptions), query, dialect.rowsPerPage)),
  }),
  ...answers(searchRedemptions, {
    data: z.array(redemptionAnswer),
    answer: ({ world, query }) => {
      const keyword = query.get("keyword") ?? "";
      return done(
        world.redemptions.filter(({ id, name }) => String(id) === keyword || name.startsWith(keyword)),
      );
    },
  }),
  ...answers(getRedemption, {
    data: redemptionAnswer,
    answer: ({ world, id }) => {
      const found = world.redemptions.find((code) => code.id === id);
      return found ? done(found) : MISSING;
    },
  }),
  ...answers(createRedemptions, {
    data: z.array(z.string()),
    answer: ({ world, caller, body: { name, quota, count = 1 } }) => {
      const made = Array.from({ length: count }, () => {
        const id = nextId(world.redemptions);
        const key = `code${String(id).padStart(28, "0")}`;
        world.redemptions.push({
          id,
          user_id: caller.id,
          key,
          status: REDEMPTION_UNUSED,
          name: name ?? "",
          quota,
          created_time: nowSeconds(),
          redeemed_time: 0,
          count: 0,
          expired_time: 0,
          max_uses: 1,
          used_count: 0,
          used_user_id: 0,
        });
        return key;
      });
      return done(made);
    },
  }),
  ...answers(changeRedemption, {
    data: redemptionAnswer,
    answer: ({ world, query, body }) => {
      const target = world.redemptions.find(({ id }) => id === body.id);
      if (!target) return MISSING;
      if (query.get("status_only")) {
        target.status = body.status ?? target.status;
      } else {
        target.name = body.name ?? target.name;
        target.quota = body.quota ?? target.quota;
      }
      return done(target);
    },
  }),
  ...answers(deleteRedemption, {
    answer: ({ world, id }) => {
      world.redemptions = world.redemptions.filter((code) => code.id !== id);
      return done();
    },
  }),
};
