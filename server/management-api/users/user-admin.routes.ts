import { KeyedMutex } from "@tollgate/accounts/keyed-mutex";
import type { User as StoredUser } from "@tollgate/contract/api/user";
import {
  changeUser,
  createUser,
  deleteUser,
  getUser,
  listUsers,
  manageUser,
  searchUsers,
  USER_FILTERS,
  USER_SORTS,
} from "@tollgate/contract/api/users";
import { ROLE_USER } from "@tollgate/contract/values/roles";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { implement, type Route, readFilter, readListPage } from "../route";
import type { Services } from "../services";
import { checkDisplayName, checkPassword, checkUsername } from "../sign-in/account-rules";
import { MAX_RESULTS_FOR_ADMINS, readFoundPart, readLimit, truncateResults } from "../truncate-results";
import { createUser as storeNewUser } from "./create-user";
import { checkMaySee } from "./find-visible-user";
import { removeUser } from "./remove-user";
import { userBatchRoute } from "./user-batch.routes";
import { checkReach, manage, update } from "./user-edits";

const findUser = async ({ storage }: Services, id: number): Promise<StoredUser> =>
  existing(await storage.read.users.find(id));

/** User administration (contract section 1.4). Root alone reaches users of an equal or a higher rank. */
export const userAdminRoutes = (): Route[] => {
  const turns = new KeyedMutex<number>();
  return [
    implement(listUsers, ({ services, query }) =>
      services.storage.read.users.page(...readListPage(query, USER_SORTS), readFilter(query, USER_FILTERS)),
    ),

    implement(searchUsers, async ({ services, query, reply }) => {
      const keyword = (query.keyword ?? "").trim();
      const limit = readLimit(query, MAX_RESULTS_FOR_ADMINS);
      const found = await services.storage.read.users.page(
        ...readFoundPart(query, USER_SORTS, limit),
        readFilter(query, USER_FILTERS),
        keyword,
      );
      return truncateResults(found, limit, reply);
    }),

    implement(getUser, async ({ services, caller, params }) => {
      const user = await findUser(services, params.id);
      checkMaySee(caller, user);
      return user;
    }),

    implement(createUser, async (context) => {
      const { services, body, caller } = context;
      const { username, password } = body;
      checkUsername(username);
      checkPassword(password);
      const displayName = body.displayName === "" ? username : body.displayName;
      checkDisplayName(displayName);
      if ((body.role ?? ROLE_USER) >= caller.role) throw new Failure("user-rank-create");
      const created = await storeNewUser(services, { username, password, displayName });
      await audit(services, context, "user.create", created.id, { username }, created);
      return undefined;
    }),

    implement(changeUser, (context) => turns.run(context.body.id, () => update(context))),

    implement(manageUser, (context) => {
      const target = context.services.accounts.users.findByName(context.body.username);
      if (!target) throw new Failure("user-not-found");
      return turns.run(target.id, () => manage(context, target));
    }),

    userBatchRoute(turns),

    implement(deleteUser, async (context) => {
      const { services, caller, params } = context;
      const user = await findUser(services, params.id);
      if (user.role >= caller.role) throw new Failure("user-rank-delete");
      checkReach(context, user.role);
      await removeUser(services, user.id);
      await audit(services, context, "user.delete", user.id, { username: user.username }, user);
      return undefined;
    }),
  ];
};
