import { randomAlphanumeric } from "@tollgate/accounts/random-text";
import { userWireSchema } from "@tollgate/contract/management/user";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import type { FastifyRequest } from "fastify";
import { z } from "zod/mini";
import { cookieReach } from "../http/cookie-reach";
import { withConflicts } from "./account-rules";
import { createUser, type NewUser } from "./create-user";
import { Failure } from "./failure";
import { checkFreshSignIn } from "./fresh-sign-in";
import { Answer, type Route, type RouteContext, readSessionUser, route } from "./route";
import type { Services } from "./services";
import { startSession } from "./session";

const STATE_COOKIE = { path: "/api/oauth", httpOnly: true } as const;
const STATE_SECONDS = 600;
const USERNAME_MAX = 12;
const NAME_MAX = 20;

/** Signing in with, and binding of, external accounts (contract section 1.2). */
export const oauthRoutes = (services: Services): Route[] => {
  const { accounts, storage, options, github, wechat, addresses, allowedOrigins, notices, now } = services;

  const stateCookie = (request: FastifyRequest) => ({
    ...STATE_COOKIE,
    ...cookieReach(request.raw, allowedOrigins, addresses.isHttps(request.raw)),
  });

  /** A free name like "github_12"; random when the numbered one is taken or too long. */
  const freeUsername = async (prefix: string): Promise<string> => {
    const numbered = `${prefix}_${(await storage.read.users.count()) + 1}`;
    if (numbered.length <= USERNAME_MAX && !accounts.users.findByName(numbered)) return numbered;
    return `${prefix.slice(0, 2)}_${randomAlphanumeric(9)}`;
  };

  /** Signs the owner of an external account in, and registers them first when nobody has it yet. */
  const signIn = async (
    { request, reply }: Pick<RouteContext<"none", unknown>, "request" | "reply">,
    column: "github_id" | "wechat_id",
    externalId: string,
    newUser: () => Promise<NewUser>,
  ) => {
    const known = await storage.read.users.findBy(column, externalId);
    let user = known && accounts.users.find(known.id);
    if (!user) {
      if (!options.isOn("RegisterEnabled")) throw new Failure("register-off");
      user = await createUser(services, await newUser());
    }
    if (user.status !== USER_ENABLED) throw new Failure("user-disabled");
    return startSession(services, user, request, reply);
  };

  const bind = async (userId: number, column: "githubId" | "wechatId", externalId: string): Promise<void> => {
    const before = await storage.read.users.find(userId);
    await withConflicts(accounts.users.change(userId, { [column]: externalId }));
    if (before && before[column] !== externalId)
      notices.accountChanged(before, column === "githubId" ? "github" : "wechat");
  };

  const checkWechat = (code: string | undefined): string => {
    if (!options.isOn("WeChatAuthEnabled")) throw new Failure("wechat-off");
    if (code === undefined || code === "") throw new Failure("invalid-parameter");
    return code;
  };

  return [
    route({
      method: "GET",
      path: "/api/oauth/state",
      guard: "none",
      summary: "A state for GitHub's authorize page",
      data: z.string(),
      isCritical: true,
      handle({ request, reply }) {
        const state = randomAlphanumeric(24);
        reply.setCookie("oauth_state", state, { ...stateCookie(request), maxAge: STATE_SECONDS });
        return state;
      },
    }),
    route({
      method: "GET",
      path: "/api/oauth/github",
      guard: "none",
      summary: "Signs in with GitHub, or binds it to the session's user (message: bind)",
      data: z.optional(userWireSchema),
      isCritical: true,
      changesState: true,
      async handle(context) {
        const { query, request, reply } = context;
        const state = query.state ?? "";
        if (state === "" || state !== request.cookies.oauth_state) {
          throw new Failure("oauth-state-invalid", {}, 403);
        }
        if (!options.isOn("GitHubOAuthEnabled")) throw new Failure("github-off");
        const code = query.code ?? "";
        if (code === "") throw new Failure("invalid-parameter");
        const user = readSessionUser(accounts, request, now());
        if (user) checkFreshSignIn(services, user, request);
        const identity = await github.identify(code);
        // A state works once; while GitHub cannot be reached, the page tries again with the same one.
        reply.clearCookie("oauth_state", stateCookie(request));
        if (user) {
          if (user.status !== USER_ENABLED) throw new Failure("user-disabled");
          await bind(user.id, "githubId", identity.id);
          // The one message that clients branch on.
          return new Answer({ message: "bind" });
        }
        return signIn(context, "github_id", identity.id, async () => {
          const isFree = identity.email !== "" && !(await storage.read.users.findBy("email", identity.email));
          return {
            username: await freeUsername("github"),
            password: undefined,
            displayName: [...(identity.name || "GitHub User")].slice(0, NAME_MAX).join(""),
            githubId: identity.id,
            ...(isFree ? { email: identity.email } : {}),
          };
        });
      },
    }),
    route({
      method: "GET",
      path: "/api/oauth/wechat",
      guard: "none",
      summary: "Signs in with a WeChat code",
      data: userWireSchema,
      isCritical: true,
      changesState: true,
      async handle(context) {
        const wechatId = await wechat.identify(checkWechat(context.query.code));
        return signIn(context, "wechat_id", wechatId, async () => ({
          username: await freeUsername("wechat"),
          password: undefined,
          displayName: "WeChat User",
          wechatId,
        }));
      },
    }),
    route({
      method: "GET",
      path: "/api/oauth/wechat/bind",
      guard: "user",
      summary: "Binds a WeChat account",
      isCritical: true,
      changesState: true,
      async handle({ caller, query, request }) {
        checkFreshSignIn(services, caller, request);
        const wechatId = await wechat.identify(checkWechat(query.code));
        await bind(caller.id, "wechatId", wechatId);
        return undefined;
      },
    }),
  ];
};
