import { randomBytes } from "node:crypto";
import { resetSecondFactor } from "@tollgate/contract/api/second-factor";
import { encodeUserBody, type User } from "@tollgate/contract/api/user";
import {
  changeUser,
  createUser,
  listUsers,
  manageUser,
  searchUsers,
  type UserAction,
} from "@tollgate/contract/api/users";
import { ROLE_ADMIN, ROLE_ROOT, ROLE_USER } from "@tollgate/contract/values/roles";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import type { CommandContext, DefineCommand } from "../command";
import { findUser } from "../operator/find-user";
import { callEndpoint, type OperatorApi } from "../operator/operator-api";
import { readPages } from "../operator/read-pages";
import { withOperator } from "../operator/with-operator";
import type { Output } from "../output";
import { readWhole } from "../read-arguments";
import { readSecret } from "../read-secret";

const ROLES: Readonly<Record<number, string>> = {
  [ROLE_USER]: "user",
  [ROLE_ADMIN]: "administrator",
  [ROLE_ROOT]: "root",
};

/** Fields of a user in JSON and tables. */
const describe = ({ id, username, displayName, email, role, status, group, quota, usedQuota }: User) => ({
  id,
  username,
  displayName,
  email,
  role: ROLES[role] ?? String(role),
  isEnabled: status === USER_ENABLED,
  group,
  quota,
  usedQuota,
});

/** 16 characters, 96 bits: within a password's limits (8 to 20). */
const createPassword = (): string => randomBytes(12).toString("base64url");

interface PasswordOption {
  passwordStdin?: boolean;
}

/** @returns a password and whether it was made here, so that a person has to be told it. */
const choosePassword = async ({ passwordStdin }: PasswordOption, { progress }: Output) =>
  passwordStdin === true
    ? { password: await readSecret(process.stdin, progress), isNew: false }
    : { password: createPassword(), isNew: true };

const showUsers = ({ output }: CommandContext, users: readonly User[]): void => {
  const rows = users.map(describe);
  output.table([
    ["id", "name", "role", "state", "group", "quota", "used", "e-mail"],
    ...rows.map((row) => [
      row.id,
      row.username,
      row.role,
      row.isEnabled ? "on" : "off",
      row.group,
      row.quota,
      row.usedQuota,
      row.email,
    ]),
  ]);
  output.result(rows);
};

const act = async (api: OperatorApi, who: string, action: UserAction): Promise<User> => {
  const user = await findUser(api, who);
  await callEndpoint(api, manageUser, { body: { username: user.username, action } });
  return user;
};

const ACTIONS: readonly { action: UserAction; description: string; done: string }[] = [
  { action: "disable", description: "ban a user: keys and sessions stop working", done: "is off" },
  { action: "enable", description: "let a user in again", done: "is on" },
  { action: "promote", description: "make a user an administrator", done: "is an administrator" },
  { action: "demote", description: "make an administrator a user", done: "is a user" },
];

const defineList: DefineCommand = (user, { run }) => {
  user
    .command("list")
    .description("the users, or those that a text finds")
    .option("--search <text>", "a number, or the beginning of a name, an e-mail or a display name")
    .action(({ search }: { search?: string }) =>
      run(async (context) => {
        const users = await withOperator(context.environment, async (api) =>
          search === undefined
            ? readPages(api, listUsers)
            : callEndpoint(api, searchUsers, { query: { keyword: search } }),
        );
        showUsers(context, users);
        return 0;
      }),
    );
};

const defineAdd: DefineCommand = (user, { run }) => {
  user
    .command("add")
    .description("add a user; without --password-stdin a password is made and shown once")
    .argument("<name>")
    .option("--display-name <text>")
    .option("--quota <number>", "what the user may spend", readWhole)
    .option("--group <name>")
    .option("--admin", "make the user an administrator")
    .option("--password-stdin", "read the password from standard input")
    .action(
      (
        name: string,
        options: { displayName?: string; quota?: number; group?: string; admin?: boolean } & PasswordOption,
      ) =>
        run(async ({ environment, output }) => {
          const { password, isNew } = await choosePassword(options, output);
          const { displayName, quota, group, admin } = options;
          const added = await withOperator(environment, async (api) => {
            const body = encodeUserBody({ username: name, password, displayName });
            await callEndpoint(api, createUser, { body });
            const { id } = await findUser(api, name);
            if (quota !== undefined || group !== undefined)
              await callEndpoint(api, changeUser, { body: encodeUserBody({ id, quota, group }) });
            if (admin === true) await act(api, name, "promote");
            return findUser(api, name);
          });
          output.print(`${name} was added as user ${added.id}.`);
          if (isNew) output.print(`Password, shown only now: ${password}`);
          output.result({ ...describe(added), ...(isNew ? { password } : {}) });
          return 0;
        }),
    );
};

const defineReset: DefineCommand = (user, { run }) => {
  user
    .command("reset-password")
    .description("give a user another password, root as well, and end what was begun with the former one")
    .argument("<who>", "name, or #number")
    .option("--password-stdin", "read it from standard input; else one is made and shown once")
    .action((who: string, options: PasswordOption) =>
      run(async ({ environment, output }) => {
        const { password, isNew } = await choosePassword(options, output);
        const { id, username } = await withOperator(environment, async (api) => {
          const found = await findUser(api, who);
          const body = encodeUserBody({ id: found.id, password });
          await callEndpoint(api, changeUser, { body });
          return found;
        });
        output.print(`${username} has another password; sessions and the access token of before are over.`);
        if (isNew) output.print(`Password, shown only now: ${password}`);
        output.result({ id, username, ...(isNew ? { password } : {}) });
        return 0;
      }),
    );
};

const defineResetSecondFactor: DefineCommand = (user, { run }) => {
  user
    .command("reset-second-factor")
    .description("remove app and passkeys of a user who has lost them, root as well, and end all sessions")
    .argument("<who>", "name, or #number")
    .action((who: string) =>
      run(async ({ environment, output }) => {
        const { id, username } = await withOperator(environment, async (api) => {
          const found = await findUser(api, who);
          await callEndpoint(api, resetSecondFactor, { params: { id: found.id } });
          return found;
        });
        output.print(`${username} has no second factor any more; sessions and the access token are over.`);
        output.result({ id, username });
        return 0;
      }),
    );
};

const defineSet: DefineCommand = (user, { run }) => {
  user
    .command("set")
    .description("change a user's quota, group or names")
    .argument("<who>", "name, or #number")
    .option("--quota <number>", "what the user may spend from now on", readWhole)
    .option("--group <name>")
    .option("--username <name>")
    .option("--display-name <text>")
    .action(
      (who: string, change: { quota?: number; group?: string; username?: string; displayName?: string }) =>
        run(async ({ environment, output }) => {
          if (Object.keys(change).length === 0) throw new Error("Say what to change: --quota, --group …");
          const changed = await withOperator(environment, async (api) => {
            const { id } = await findUser(api, who);
            await callEndpoint(api, changeUser, { body: encodeUserBody({ id, ...change }) });
            return findUser(api, String(change.username ?? who));
          });
          output.print(`${changed.username}: quota ${changed.quota}, group ${changed.group}.`);
          output.result(describe(changed));
          return 0;
        }),
    );
};

const defineActions: DefineCommand = (user, { run }) => {
  for (const { action, description, done } of ACTIONS) {
    user
      .command(action)
      .description(description)
      .argument("<who>", "name, or #number")
      .action((who: string) =>
        run(async ({ environment, output }) => {
          const { id, username } = await withOperator(environment, (api) => act(api, who, action));
          output.print(`${username} ${done}.`);
          output.result({ id, username, action });
          return 0;
        }),
      );
  }
};

const defineDelete: DefineCommand = (user, { run }) => {
  user
    .command("delete")
    .description("delete a user with all keys, for good")
    .argument("<who>", "name, or #number")
    .option("--yes", "do it")
    .action((who: string, { yes }: { yes?: boolean }) =>
      run(async ({ environment, output }) => {
        const { id, username } = await withOperator(environment, async (api) => {
          if (yes === true) return act(api, who, "delete");
          const found = await findUser(api, who);
          throw new Error(`${found.username} (user ${found.id}) would be gone for good: add --yes to do it.`);
        });
        output.print(`${username} was deleted.`);
        output.result({ id, username, action: "delete" });
        return 0;
      }),
    );
};

/** Acts on users, also for a person who is locked out of the console. */
export const defineUser: DefineCommand = (program, tools) => {
  const user = program.command("user").description("list, add and change users");
  const all = [defineList, defineAdd, defineReset, defineResetSecondFactor, defineSet, defineActions];
  for (const define of [...all, defineDelete]) define(user, tools);
};
