import { splitList } from "@tollgate/contract/control/channel";
import { PAGE_SIZE } from "@tollgate/contract/control/envelope";
import { type Limits, pickLimits } from "@tollgate/contract/control/limits";
import {
  type CreateTokenBody,
  createTokenBodySchema,
  encodeToken,
  TOKEN_NAME_MAX,
  type Token,
  tokenWireSchema,
  updateTokenBodySchema,
} from "@tollgate/contract/control/token";
import type { TokenAccess, TokenChange } from "@tollgate/contract/records/token-record";
import {
  TOKEN_DISABLED,
  TOKEN_ENABLED,
  TOKEN_EXHAUSTED,
  TOKEN_EXPIRED,
} from "@tollgate/contract/values/statuses";
import { NEVER } from "@tollgate/contract/values/time";
import { z } from "zod/mini";
import { parseNetworks } from "../http/networks";
import { createTokenKey } from "../random-text";
import { changeBalance } from "../state/change-balance";
import { accessOf } from "../state/directory";
import { OneAtATime } from "../state/one-at-a-time";
import { Failure } from "./failure";
import { cutFound } from "./found-rows";
import { type Route, readInteger, readPage, route } from "./route";
import type { Services } from "./services";

/** How many keys a user may have: each is kept in memory, and more than that are made by a program that went astray. */
const MAX_TOKENS_PER_USER = 1000;

/** How many keys a search answers; more there are only of users from before there was a bound. */
const MAX_FOUND = 1000;

const checkName = (name: string): void => {
  if ([...name].length > TOKEN_NAME_MAX) throw new Failure("token-name-too-long");
};

/** 0 and absence mean never; a moment must be after 1970. */
const readExpiry = (expiry: number | undefined): number => {
  if (expiry === undefined || expiry === 0 || expiry === NEVER) return NEVER;
  if (expiry < 0) throw new Failure("invalid-parameter");
  return expiry;
};

/** A key that stopped by itself can be switched on again only when the reason is gone (contract section 1.7). */
const checkEnable = (token: Token, now: number): void => {
  if (token.status === TOKEN_EXPIRED && token.expiredTime !== NEVER && token.expiredTime <= now) {
    throw new Failure("token-expired-cannot-enable");
  }
  if (token.status === TOKEN_EXHAUSTED && token.remainQuota <= 0 && !token.unlimitedQuota) {
    throw new Failure("token-exhausted-cannot-enable");
  }
};

/** What a body says of what a key may use, and from where. */
const readAccess = (body: Pick<CreateTokenBody, "models" | "subnet" | keyof Limits>): TokenAccess => {
  const { models, subnet } = body;
  const networks = parseNetworks(subnet ?? "");
  if ("fault" in networks) throw new Failure("token-subnet-invalid", { entry: networks.fault });
  return {
    models: models === undefined ? undefined : splitList(models),
    subnet: subnet?.trim(),
    limits: pickLimits(body),
  };
};

/** Access keys, always the caller's own (contract section 1.7). */
export const tokenRoutes = ({ storage, directory, now }: Services): Route[] => {
  const findOwn = async (userId: number, id: number): Promise<Token> => {
    const token = await storage.read.tokens.find(userId, id);
    if (!token) throw new Failure("record-not-found");
    return token;
  };

  const turns = new OneAtATime();

  /** Stores an edit and takes it over in memory; the quota moves by the difference to what is left now. */
  const change = (token: Token, wanted: TokenChange & { remainQuota?: number }): Promise<Token> =>
    turns.run(String(token.id), () => changeNow(token, wanted));

  const changeNow = async (token: Token, wanted: TokenChange & { remainQuota?: number }): Promise<Token> => {
    const key = directory.findKeyById(token.id);
    if (!key) throw new Failure("record-not-found");
    const { remainQuota, ...columns } = wanted;
    const changed = await changeBalance(key.account, remainQuota, async (remainQuotaDifference) => {
      const stored = await storage.write.tokens.change(token.userId, token.id, {
        ...columns,
        remainQuotaDifference,
      });
      if (!stored) throw new Failure("record-not-found");
      return stored;
    });
    key.name = changed.name;
    key.status = changed.status;
    key.expiredTime = changed.expiredTime;
    key.account.isUnlimited = changed.unlimitedQuota;
    Object.assign(key, accessOf(changed));
    return changed;
  };

  return [
    route({
      method: "GET",
      path: "/api/token",
      guard: "user",
      summary: "A page of one's keys",
      data: z.array(tokenWireSchema),
      async handle({ caller, query }) {
        const tokens = await storage.read.tokens.page(caller.id, readPage(query) * PAGE_SIZE, PAGE_SIZE);
        return tokens.map(encodeToken);
      },
    }),
    route({
      method: "GET",
      path: "/api/token/search",
      guard: "user",
      summary: "One's keys by the beginning of the name",
      data: z.array(tokenWireSchema),
      async handle({ caller, query, reply }) {
        const found = await storage.read.tokens.search(caller.id, query.keyword ?? "", MAX_FOUND + 1);
        return cutFound(found, MAX_FOUND, reply).map(encodeToken);
      },
    }),
    route({
      method: "GET",
      path: "/api/token/:id",
      guard: "user",
      summary: "One of one's keys",
      data: tokenWireSchema,
      async handle({ caller, params }) {
        return encodeToken(await findOwn(caller.id, readInteger(params.id)));
      },
    }),
    route({
      method: "POST",
      path: "/api/token",
      guard: "user",
      summary: "Makes a key",
      body: createTokenBodySchema,
      async handle({ caller, body }) {
        checkName(body.name);
        const access = readAccess(body);
        const expiredTime = readExpiry(body.expiredTime);
        // One after another, so that many at once do not all find room for one more.
        const { record } = await turns.run(`user ${caller.id}`, async () => {
          if ((await storage.read.tokens.count(caller.id)) >= MAX_TOKENS_PER_USER)
            throw new Failure("token-too-many", { limit: MAX_TOKENS_PER_USER });
          return storage.write.tokens.create({
            userId: caller.id,
            key: createTokenKey(),
            name: body.name,
            createdTime: now(),
            expiredTime,
            remainQuota: body.remainQuota ?? 0,
            unlimitedQuota: body.unlimitedQuota ?? false,
            ...access,
          });
        });
        directory.addKey(record);
        return undefined;
      },
    }),
    route({
      method: "PUT",
      path: "/api/token",
      guard: "user",
      summary: "Changes a key; with status_only only its status",
      data: tokenWireSchema,
      body: updateTokenBodySchema,
      async handle({ caller, body, query }) {
        const token = await findOwn(caller.id, body.id);
        if (query.status_only !== undefined && query.status_only !== "") {
          if (body.status !== TOKEN_ENABLED && body.status !== TOKEN_DISABLED)
            throw new Failure("status-invalid");
          if (body.status === TOKEN_ENABLED) checkEnable(token, now());
          return encodeToken(await change(token, { status: body.status }));
        }
        if (body.name !== undefined) checkName(body.name);
        const changed = await change(token, {
          ...(body.name === undefined ? {} : { name: body.name }),
          ...(body.expiredTime === undefined ? {} : { expiredTime: readExpiry(body.expiredTime) }),
          ...(body.unlimitedQuota === undefined ? {} : { unlimitedQuota: body.unlimitedQuota }),
          ...(body.remainQuota === undefined ? {} : { remainQuota: body.remainQuota }),
          access: readAccess(body),
        });
        return encodeToken(changed);
      },
    }),
    route({
      method: "DELETE",
      path: "/api/token/:id",
      guard: "user",
      summary: "Deletes a key",
      async handle({ caller, params }) {
        const id = readInteger(params.id);
        if (!(await storage.write.tokens.remove(caller.id, id))) throw new Failure("record-not-found");
        directory.removeKey(id);
        return undefined;
      },
    }),
  ];
};
