import { testChannel } from "@tollgate/contract/api/channel-upstream";
import {
  type Channel,
  changeChannel,
  createChannels,
  deleteChannel,
  encodeChannelBody,
  listChannels,
} from "@tollgate/contract/api/channels";
import {
  CHANNEL_DISABLED_AUTOMATICALLY,
  CHANNEL_DISABLED_BY_HAND,
  CHANNEL_ENABLED,
} from "@tollgate/contract/values/statuses";
import type { DefineCommand } from "../command";
import { callEndpoint } from "../operator/operator-api";
import { readPages } from "../operator/read-pages";
import { withOperator } from "../operator/with-operator";
import { readId, readWhole } from "../read-arguments";
import { readSecret } from "../read-secret";

const STATES: Readonly<Record<number, string>> = {
  [CHANNEL_ENABLED]: "on",
  [CHANNEL_DISABLED_BY_HAND]: "off",
  [CHANNEL_DISABLED_AUTOMATICALLY]: "off by itself",
};

/** Fields of a channel in JSON and tables. */
const describe = ({ id, name, type, status, groups, models, priority, weight, usedQuota }: Channel) => ({
  id,
  name,
  type,
  state: STATES[status] ?? String(status),
  groups,
  models,
  priority,
  weight,
  usedQuota,
});

const defineList: DefineCommand = (channel, { run }) => {
  channel
    .command("list")
    .description("the channels")
    .action(() =>
      run(async ({ environment, output }) => {
        const channels = await withOperator(environment, (api) => readPages(api, listChannels));
        const rows = channels.map(describe);
        output.table([
          ["id", "name", "type", "state", "groups", "models", "priority", "weight", "used"],
          ...rows.map((row) => [
            row.id,
            row.name,
            row.type,
            row.state,
            row.groups.join(","),
            row.models.length,
            row.priority,
            row.weight,
            row.usedQuota,
          ]),
        ]);
        output.result(rows);
        return 0;
      }),
    );
};

const defineAdd: DefineCommand = (channel, { run }) => {
  channel
    .command("add")
    .description("add a channel; its key, or one to a line, is read from standard input")
    .requiredOption(
      "--type <number>",
      "the vendor's number, as in the console's addresses and in /api",
      readWhole,
    )
    .requiredOption("--name <text>")
    .requiredOption("--models <list>", "with commas")
    .option("--base-url <address>", "where the vendor's own is not meant")
    .option("--group <list>", "with commas", "default")
    .option("--multi-key", "one channel with all keys, not one for each")
    .action(
      ({
        type,
        name,
        models,
        baseUrl,
        group,
        multiKey,
      }: {
        type: number;
        name: string;
        models: string;
        baseUrl?: string;
        group: string;
        multiKey?: boolean;
      }) =>
        run(async ({ environment, output }) => {
          const key = await readSecret(process.stdin, output.progress);
          await withOperator(environment, (api) =>
            callEndpoint(api, createChannels, {
              body: encodeChannelBody({
                type,
                name,
                key,
                models,
                baseUrl,
                groups: group,
                isMultiKey: multiKey,
              }),
            }),
          );
          output.print(`${name} was added.`);
          output.result({ name, type });
          return 0;
        }),
    );
};

const defineSwitches: DefineCommand = (channel, { run }) => {
  for (const [action, status, done] of [
    ["disable", CHANNEL_DISABLED_BY_HAND, "is off"],
    ["enable", CHANNEL_ENABLED, "is on"],
  ] as const) {
    channel
      .command(action)
      .description(action === "disable" ? "switch a channel off" : "switch a channel on")
      .argument("<id>", "its number", readId)
      .action((id: number) =>
        run(async ({ environment, output }) => {
          const body = encodeChannelBody({ id, status });
          const changed = await withOperator(environment, (api) =>
            callEndpoint(api, changeChannel, { body }),
          );
          output.print(`Channel ${id} ${done}.`);
          output.result(changed && describe(changed));
          return 0;
        }),
      );
  }
};

const defineTest: DefineCommand = (channel, { run }) => {
  channel
    .command("test")
    .description("ask a channel one question, and say how long the answer took")
    .argument("<id>", "its number", readId)
    .action((id: number) =>
      run(async ({ environment, output }) => {
        const { time } = await withOperator(environment, (api) =>
          callEndpoint(api, testChannel, { params: { id } }),
        );
        output.print(`Channel ${id} answered in ${time.toFixed(2)} s.`);
        output.result({ id, seconds: time });
        return 0;
      }),
    );
};

const defineDelete: DefineCommand = (channel, { run }) => {
  channel
    .command("delete")
    .description("delete a channel with its keys, for good")
    .argument("<id>", "its number", readId)
    .option("--yes", "do it")
    .action((id: number, { yes }: { yes?: boolean }) =>
      run(async ({ environment, output }) => {
        if (yes !== true) throw new Error(`Channel ${id} would be gone for good: add --yes to do it.`);
        await withOperator(environment, (api) => callEndpoint(api, deleteChannel, { params: { id } }));
        output.print(`Channel ${id} was deleted.`);
        output.result({ id, action: "delete" });
        return 0;
      }),
    );
};

/** Acts on channels. */
export const defineChannel: DefineCommand = (program, tools) => {
  const channel = program.command("channel").description("list, add, test and change channels");
  for (const define of [defineList, defineAdd, defineSwitches, defineTest, defineDelete])
    define(channel, tools);
};
