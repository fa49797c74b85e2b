import {
  type ApiKey,
  changeApiKey,
  createApiKey,
  deleteApiKey,
  encodeApiKeyBody,
  listApiKeys,
} from "@tollgate/contract/api/api-keys";
import type { User } from "@tollgate/contract/api/user";
import {
  TOKEN_DISABLED,
  TOKEN_ENABLED,
  TOKEN_EXHAUSTED,
  TOKEN_EXPIRED,
} from "@tollgate/contract/values/statuses";
import type { Command } from "commander";
import type { DefineCommand } from "../command";
import { findUser } from "../operator/find-user";
import { callEndpoint, type OperatorApi } from "../operator/operator-api";
import { readPages } from "../operator/read-pages";
import { withOperator } from "../operator/with-operator";
import { readId, readMoment, readWhole } from "../read-arguments";

const STATES: Readonly<Record<number, string>> = {
  [TOKEN_ENABLED]: "on",
  [TOKEN_DISABLED]: "off",
  [TOKEN_EXPIRED]: "expired",
  [TOKEN_EXHAUSTED]: "used up",
};

/** expired_time of a key that never expires. */
const NEVER = -1;

/** Fields of a key in JSON and tables: never the key itself. */
const describe = ({
  id,
  name,
  key,
  status,
  remainQuota,
  unlimitedQuota,
  usedQuota,
  expiredTime,
}: ApiKey) => ({
  id,
  name,
  begins: `sk-${key.slice(0, 4)}…`,
  state: STATES[status] ?? String(status),
  left: unlimitedQuota ? null : remainQuota,
  used: usedQuota,
  expires: expiredTime === NEVER ? null : new Date(expiredTime * 1000).toISOString(),
});

const keysOf = (api: OperatorApi, { id }: User): Promise<ApiKey[]> =>
  readPages(api, listApiKeys, { userId: id });

const withUser = (command: Command): Command =>
  command.requiredOption("--user <who>", "whose: name, or #number");

const defineList: DefineCommand = (key, { run }) => {
  withUser(key.command("list"))
    .description("a user's keys, by their beginnings")
    .action(({ user }: { user: string }) =>
      run(async ({ environment, output }) => {
        const keys = await withOperator(environment, async (api) => keysOf(api, await findUser(api, user)));
        const rows = keys.map(describe);
        output.table([
          ["id", "name", "key", "state", "left", "used", "expires"],
          ...rows.map((row) => [
            row.id,
            row.name,
            row.begins,
            row.state,
            row.left ?? "unlimited",
            row.used,
            row.expires ?? "never",
          ]),
        ]);
        output.result(rows);
        return 0;
      }),
    );
};

const defineAdd: DefineCommand = (key, { run }) => {
  withUser(key.command("add"))
    .description("make a key and show it once")
    .requiredOption("--name <text>")
    .option("--quota <number>", "what it may spend; without it, whatever its user has", readWhole)
    .option("--expires <moment>", "2027-01-31, or with a time", readMoment)
    .option("--models <list>", "the only models that it may use, with commas")
    .action(
      ({
        user,
        name,
        quota,
        expires,
        models,
      }: {
        user: string;
        name: string;
        quota?: number;
        expires?: number;
        models?: string;
      }) =>
        run(async ({ environment, output }) => {
          const made = await withOperator(environment, async (api) => {
            const owner = await findUser(api, user);
            const known = new Set((await keysOf(api, owner)).map(({ id }) => id));
            const body = encodeApiKeyBody({
              name,
              remainQuota: quota ?? 0,
              unlimitedQuota: quota === undefined,
              expiredTime: expires ?? NEVER,
              models,
            });
            await callEndpoint(api, createApiKey, { body }, { userId: owner.id });
            return (await keysOf(api, owner)).find(({ id, name: other }) => other === name && !known.has(id));
          });
          if (!made) throw new Error("The key was made, and is gone again: somebody deleted it meanwhile.");
          output.print(`Key ${made.id}: sk-${made.key}`);
          output.result({ ...describe(made), key: `sk-${made.key}` });
          return 0;
        }),
    );
};

const defineSwitches: DefineCommand = (key, { run }) => {
  for (const [action, status, done] of [
    ["disable", TOKEN_DISABLED, "is off"],
    ["enable", TOKEN_ENABLED, "is on"],
  ] as const) {
    withUser(key.command(action))
      .description(action === "disable" ? "switch a key off" : "switch a key on")
      .argument("<id>", "its number", readId)
      .action((id: number, { user }: { user: string }) =>
        run(async ({ environment, output }) => {
          const changed = await withOperator(environment, async (api) => {
            const userId = (await findUser(api, user)).id;
            const body = encodeApiKeyBody({ id, status });
            return callEndpoint(api, changeApiKey, { query: { status_only: true }, body }, { userId });
          });
          output.print(`Key ${id} ${done}.`);
          output.result(changed && describe(changed));
          return 0;
        }),
      );
  }
};

const defineDelete: DefineCommand = (key, { run }) => {
  withUser(key.command("delete"))
    .description("delete a key for good")
    .argument("<id>", "its number", readId)
    .action((id: number, { user }: { user: string }) =>
      run(async ({ environment, output }) => {
        await withOperator(environment, async (api) => {
          const userId = (await findUser(api, user)).id;
          await callEndpoint(api, deleteApiKey, { params: { id } }, { userId });
        });
        output.print(`Key ${id} was deleted.`);
        output.result({ id, action: "delete" });
        return 0;
      }),
    );
};

/** Acts on the API keys of a user. */
export const defineKey: DefineCommand = (program, tools) => {
  const key = program.command("key").description("list, add and change the API keys of a user");
  for (const define of [defineList, defineAdd, defineSwitches, defineDelete]) define(key, tools);
};
