import { KeyedMutex } from "@tollgate/accounts/keyed-mutex";
import type { User } from "@tollgate/accounts/users";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { pickLimits } from "@tollgate/contract/management/limits";
import {
  createUserBodySchema,
  encodeManagedUser,
  encodeUser,
  type ManageUserBody,
  manageUserBodySchema,
  type User as StoredUser,
  type UpdateUserBody,
  type UserAction,
  updateUserBodySchema,
  userWireSchema,
} from "@tollgate/contract/management/user";
import { PAGE_PARAMETER } from "@tollgate/contract/resource/endpoint";
import { ROLE_ADMIN, ROLE_ROOT, ROLE_USER } from "@tollgate/contract/values/roles";
import { USER_DISABLED, USER_ENABLED } from "@tollgate/contract/values/statuses";
import { z } from "zod/mini";
import { audit } from "../audit";
import { Failure } from "../failure";
import { type Route, type RouteContext, readInteger, readPage, route } from "../route";
import type { Services } from "../services";
import { endAccess } from "../session";
import {
  checkDisplayName,
  checkGroups,
  checkNewUsername,
  checkPassword,
  checkUsername,
  withConflicts,
} from "../sign-in/account-rules";
import { isFreshlySignedIn } from "../sign-in/fresh-sign-in";
import { hashPassword } from "../sign-in/passwords";
import { MAX_RESULTS_FOR_ADMINS, truncateResults } from "../truncate-results";
import { createUser } from "./create-user";
import { removeUser } from "./remove-user";

const isNobodysRank = (role: number): boolean =>
  role !== ROLE_USER && role !== ROLE_ADMIN && role !== ROLE_ROOT;

/** User administration (contract section 1.4). Nobody but root reaches users of their own or a higher rank. */
export const userAdminRoutes = (services: Services): Route[] => {
  const { accounts, storage } = services;
  const turns = new KeyedMutex<number>();

  const findUser = async (id: number): Promise<StoredUser> => {
    const user = await storage.read.users.find(id);
    if (!user) throw new Failure("record-not-found");
    return user;
  };

  /** What an action changes of a user's role and status, or why it may not. */
  const applyAction = (
    caller: User,
    target: User,
    action: UserAction,
  ): { role?: number; status?: number } => {
    const isRootTarget = target.role >= ROLE_ROOT;
    switch (action) {
      case "disable":
        if (isRootTarget) throw new Failure("root-cannot-disable");
        return { status: USER_DISABLED };
      case "enable":
        return { status: USER_ENABLED };
      case "delete":
        if (isRootTarget) throw new Failure("root-cannot-delete");
        return {};
      case "promote":
        if (caller.role < ROLE_ROOT) throw new Failure("promote-needs-root");
        if (target.role >= ROLE_ADMIN) throw new Failure("already-admin");
        return { role: ROLE_ADMIN };
      case "demote":
        if (isRootTarget) throw new Failure("root-cannot-demote");
        if (target.role === ROLE_USER) throw new Failure("already-user");
        return { role: ROLE_USER };
    }
  };

  /** Who may do it is judged when it is done: meanwhile the user may have been raised, or be gone. */
  const manageUser = async (
    context: RouteContext<"admin", ManageUserBody>,
    known: User,
  ): Promise<{ role: number; status: number }> => {
    const { body, caller } = context;
    const target = accounts.users.find(known.id);
    if (!target) throw new Failure("user-not-found");
    if (caller.role < ROLE_ROOT && target.role >= caller.role) throw new Failure("user-rank-change");
    const change = applyAction(caller, target, body.action);
    const { role, status, username } = { ...target, ...change };
    if (body.action === "delete") await removeUser(services, target.id);
    else await accounts.users.change(target.id, change);
    await audit(services, context, `user.${body.action}`, target.id, { username }, target);
    return { role, status };
  };

  /** Changes a user; the quota moves by the difference to what is left now. */
  const updateUser = async (context: RouteContext<"admin", UpdateUserBody>): Promise<undefined> => {
    const { body, caller } = context;
    const target = accounts.users.find(body.id);
    if (!target) throw new Failure("record-not-found");
    const isRoot = caller.role >= ROLE_ROOT;
    if (!isRoot && target.role >= caller.role) throw new Failure("user-rank-change");
    const role = body.role === undefined || body.role === 0 ? target.role : body.role;
    if (role !== target.role) {
      if (isNobodysRank(role) || target.role >= ROLE_ROOT) throw new Failure("invalid-parameter");
      if (role >= caller.role || !isRoot) throw new Failure("user-rank-raise");
    }
    const given = (text: string | undefined): string | undefined => (text === "" ? undefined : text);
    const username = given(body.username);
    const displayName = given(body.displayName);
    const password = given(body.password);
    const group = given(body.group);
    checkNewUsername(username, target.username);
    if (displayName !== undefined) checkDisplayName(displayName);
    if (password !== undefined) checkPassword(password);
    if (group !== undefined) checkGroups(group);
    const isOwn = caller.id === target.id;
    const isOwnAccess =
      isOwn && (password !== undefined || (username ?? target.username) !== target.username);
    // The same as where everybody edits their own account: an access token alone takes none over.
    if (isOwnAccess && !isFreshlySignedIn(services, caller, context.request))
      throw new Failure("current-password-needed");
    const passwordHash = password === undefined ? undefined : await hashPassword(password);
    const newRole = role === target.role ? undefined : role;
    const limits = pickLimits(body);
    const before = body.quota === undefined ? undefined : (await storage.read.users.find(target.id))?.quota;
    // A form sends the quota that it showed: what was used since must not be given back.
    const quota = body.quota === body.originalQuota ? undefined : body.quota;
    const edit = {
      username,
      displayName,
      group,
      role: newRole,
      passwordHash,
      quota,
      limits,
      actorId: caller.id,
    };
    const changed = await withConflicts(accounts.users.change(target.id, edit));
    if (password !== undefined) {
      await endAccess(accounts, target.id, isOwn ? context.request : undefined);
      services.notices.accountChanged(changed, "password");
    }
    const detail = {
      username,
      display_name: displayName,
      group,
      role: newRole,
      password,
      quota: quota === before ? undefined : quota,
      ...limits,
    };
    await audit(services, context, "user.update", target.id, detail, target);
    return undefined;
  };

  return [
    route({
      method: "GET",
      path: "/api/user",
      guard: "admin",
      summary: "A page of the users",
      query: PAGE_PARAMETER,
      data: z.array(userWireSchema),
      async answer({ query }) {
        return (await storage.read.users.page(readPage(query) * PAGE_SIZE, PAGE_SIZE)).map((user) =>
          encodeUser(user),
        );
      },
    }),
    route({
      method: "GET",
      path: "/api/user/search",
      guard: "admin",
      summary: "Users by id, or by the beginning of name, e-mail or display name",
      query: { keyword: "An id, or how a name, an address or a display name begins." },
      data: z.array(userWireSchema),
      async answer({ query, reply }) {
        const keyword = (query.keyword ?? "").trim();
        const found = await storage.read.users.search(keyword, MAX_RESULTS_FOR_ADMINS + 1);
        return truncateResults(found, MAX_RESULTS_FOR_ADMINS, reply).map((user) => encodeUser(user));
      },
    }),
    route({
      method: "GET",
      path: "/api/user/:id",
      guard: "admin",
      summary: "One user",
      data: userWireSchema,
      async answer({ caller, params }) {
        const user = await findUser(readInteger(params.id));
        if (caller.role < ROLE_ROOT && user.role >= caller.role) throw new Failure("user-rank-view");
        return encodeUser(user);
      },
    }),
    route({
      method: "POST",
      path: "/api/user",
      guard: "admin",
      summary: "Adds a user",
      body: createUserBodySchema,
      async answer(context) {
        const { body, caller } = context;
        checkUsername(body.username);
        checkPassword(body.password);
        const displayName =
          body.displayName === null || body.displayName === "" ? body.username : body.displayName;
        checkDisplayName(displayName);
        if ((body.role ?? ROLE_USER) >= caller.role) throw new Failure("user-rank-create");
        const created = await createUser(services, {
          username: body.username,
          password: body.password,
          displayName,
        });
        await audit(services, context, "user.create", created.id, { username: body.username }, created);
        return undefined;
      },
    }),
    route({
      method: "PUT",
      path: "/api/user",
      guard: "admin",
      summary: "Changes a user",
      body: updateUserBodySchema,
      answer: (context) => turns.run(context.body.id, () => updateUser(context)),
    }),
    route({
      method: "POST",
      path: "/api/user/manage",
      guard: "admin",
      summary: "Bans, releases, promotes, demotes or deletes a user; answers role and status",
      data: userWireSchema,
      body: manageUserBodySchema,
      async answer(context) {
        const target = accounts.users.findByName(context.body.username);
        if (!target) throw new Failure("user-not-found");
        return encodeManagedUser(await turns.run(target.id, () => manageUser(context, target)));
      },
    }),
    route({
      method: "DELETE",
      path: "/api/user/:id",
      guard: "admin",
      summary: "Deletes a user",
      async answer(context) {
        const { caller, params } = context;
        const user = await findUser(readInteger(params.id));
        if (user.role >= caller.role) throw new Failure("user-rank-delete");
        await removeUser(services, user.id);
        await audit(services, context, "user.delete", user.id, { username: user.username }, user);
        return undefined;
      },
    }),
  ];
};
