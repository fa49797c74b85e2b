import {
  changeApiKey,
  createApiKey,
  deleteApiKey,
  getApiKey,
  listApiKeys,
  MAX_API_KEY_NAME,
  searchApiKeys,
} from "@tollgate/contract/api/api-keys";
import { TOKEN_ENABLED, TOKEN_EXPIRED } from "@tollgate/contract/values/statuses";
import * as z from "zod/mini";
import { tokenAnswer } from "../answer-schemas";
import { answers, type Calls, done, MISSING, refuse } from "../call";
import { newestFirst, nextId, pageOf } from "../select-rows";
import type { StoredApiKey, StoredUser } from "../stored-rows";
import { nowSeconds, type World } from "../world";

const ownOf = (world: World, caller: StoredUser): StoredApiKey[] =>
  world.tokens.filter(({ user_id }) => user_id === caller.id);

const find = (world: World, caller: StoredUser, wanted: number): StoredApiKey | undefined =>
  ownOf(world, caller).find(({ id }) => id === wanted);

const hasExpired = ({ status, expired_time }: StoredApiKey): boolean =>
  status === TOKEN_EXPIRED && expired_time > 0 && expired_time < nowSeconds();

/** All users' own API keys. */
export const apiKeyCalls: Calls = {
  ...answers(listApiKeys, {
    data: z.array(tokenAnswer),
    answer: ({ world, caller, query, dialect }) =>
      done(pageOf(newestFirst(ownOf(world, caller)), query, dialect.rowsPerPage)),
  }),
  ...answers(searchApiKeys, {
    data: z.array(tokenAnswer),
    answer: ({ world, caller, query }) =>
      done(ownOf(world, caller).filter(({ name }) => name.startsWith(query.get("keyword") ?? ""))),
  }),
  ...answers(getApiKey, {
    data: tokenAnswer,
    answer: ({ world, caller, id }) => {
      const found = find(world, caller, id);
      return found ? done(found) : MISSING;
    },
  }),
  ...answers(createApiKey, {
    answer: ({ world, caller, body }) => {
      if (new TextEncoder().encode(body.name ?? "").length > MAX_API_KEY_NAME)
        return refuse("令牌名称过长", "token name too long");
      const id = nextId(world.tokens);
      world.tokens.push({
        id,
        user_id: caller.id,
        key: `n${String(id).padStart(47, "0")}`,
        status: TOKEN_ENABLED,
        name: body.name ?? "",
        created_time: nowSeconds(),
        accessed_time: nowSeconds(),
        expired_time: body.expired_time || -1,
        remain_quota: body.remain_quota ?? 0,
        unlimited_quota: body.unlimited_quota ?? false,
        used_quota: 0,
      });
      return done();
    },
  }),
  ...answers(changeApiKey, {
    data: tokenAnswer,
    answer: ({ world, caller, query, body }) => {
      const target = find(world, caller, body.id);
      if (!target) return MISSING;
      if (query.get("status_only")) {
        if (body.status === TOKEN_ENABLED && hasExpired(target)) {
          return refuse(
            "令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期",
            "the token has expired",
          );
        }
        target.status = body.status ?? target.status;
      } else {
        target.name = body.name ?? target.name;
        target.remain_quota = body.remain_quota ?? target.remain_quota;
        target.expired_time = body.expired_time ?? target.expired_time;
        target.unlimited_quota = body.unlimited_quota ?? target.unlimited_quota;
      }
      return done(target);
    },
  }),
  ...answers(deleteApiKey, {
    answer: ({ world, caller, id }) => {
      const found = find(world, caller, id);
      if (!found) return MISSING;
      world.tokens = world.tokens.filter((token) => token !== found);
      return done();
    },
  }),
};
