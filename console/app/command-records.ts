import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { testChannel } from "@tollgate/contract/api/channel-upstream";
import { type Channel, changeChannel, searchChannels } from "@tollgate/contract/api/channels";
import { getOwnOrder, listOrders } from "@tollgate/contract/api/orders";
import { listOfferedPlans, listPlans } from "@tollgate/contract/api/plans";
import { getPricing } from "@tollgate/contract/api/pricing";
import { searchRedemptions } from "@tollgate/contract/api/redemptions";
import { searchTokens, type Token } from "@tollgate/contract/api/tokens";
import type { User } from "@tollgate/contract/api/user";
import { searchUsers } from "@tollgate/contract/api/users";
import { CHANNEL_DISABLED_BY_HAND, CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { bearerKey } from "../lib/bearer-key";
import { callEndpoint } from "../lib/call-endpoint";
import { copyOrShow } from "../lib/copy";
import { notify } from "../lib/notify";
import { useSession } from "../lib/session";
import { useEndpoint } from "../lib/use-endpoint";
import { usePaused } from "../lib/use-paused";
import { type Command, type CommandGroup, wordsOf } from "./rank-commands";

/** Maximum number of shown records per kind. */
const MAX_RECORDS = 5;
/** Models and plans rarely change during a search. */
const KEPT_MS = 60_000;

/** Request ids begin with the time, to the second at least. */
const REQUEST_ID = /^\d{14,}[0-9A-Za-z]+$/;
/** Start of an order number. Shorter texts count as names. */
const ORDER_NUMBER = /^[\da-f]{6,32}$/i;

/** A failed search must not hide the results of the others. */
const found = <Row>(rows: Promise<Row[]>): Promise<Row[]> =>
  rows.then((all) => all.slice(0, MAX_RECORDS)).catch(() => []);

/** Records that the server finds by a text, within this user's permissions. */
const useFound = (text: string) => {
  const { isAdmin } = useSession();
  const keyword = usePaused(text);
  return useQuery({
    queryKey: ["command-records", isAdmin, keyword],
    queryFn: async ({ signal }) => {
      const call = { query: { keyword, limit: MAX_RECORDS } };
      const isNumber = ORDER_NUMBER.test(keyword);
      const [channels, users, tokens, codes, orders] = await Promise.all([
        isAdmin ? found(callEndpoint(searchChannels, call, signal)) : [],
        isAdmin ? found(callEndpoint(searchUsers, call, signal)) : [],
        found(callEndpoint(searchTokens, call, signal)),
        isAdmin ? found(callEndpoint(searchRedemptions, call, signal)) : [],
        !isNumber
          ? []
          : found(
              isAdmin
                ? callEndpoint(listOrders, { query: { keyword } }, signal)
                : callEndpoint(getOwnOrder, { params: { number: keyword } }, signal).then((order) => [order]),
            ),
      ]);
      return { channels, users, tokens, codes, orders };
    },
    enabled: keyword !== "",
    meta: { silent: true },
    staleTime: 10_000,
  });
};

/** Models and plans, which are few: they are read once and searched here. */
const useKept = (isWanted: boolean) => {
  const { isAdmin } = useSession();
  const { data } = useQuery({
    queryKey: ["command-lists", isAdmin],
    queryFn: async ({ signal }) => {
      const [models, plans] = await Promise.all([
        callEndpoint(getPricing, {}, signal)
          .then(({ data: priced }) => priced.map(({ model_name: model }) => model))
          .catch((): string[] => []),
        callEndpoint(isAdmin ? listPlans : listOfferedPlans, {}, signal).catch(() => []),
      ]);
      return { models, plans };
    },
    enabled: isWanted,
    meta: { silent: true },
    staleTime: KEPT_MS,
  });
  return data;
};

/** Commands of a found record. Without a verb the command opens the record. */
const commandOf =
  (kind: string, id: number) =>
  (what: string, label: string, run: () => void, words?: string): Command => ({
    id: [kind, what, id].filter((part) => part !== "").join("-"),
    label,
    hint: `#${id}`,
    ...(words === undefined ? {} : { words }),
    isFound: true,
    run,
  });

/** Navigates to an address. */
const useGo = () => {
  const navigate = useNavigate();
  return (href: string) => () => void navigate({ href });
};

/** Commands of a found channel. The menu has closed when they finish, which would drop callbacks of `mutate`. */
const useChannelCommands = (): ((channel: Channel) => Command[]) => {
  const { t } = useTranslation();
  const go = useGo();
  const change = useEndpoint(changeChannel);
  const test = useEndpoint(testChannel);
  return ({ id, name, status }) => {
    const command = commandOf("channel", id);
    const isEnabled = status === CHANNEL_ENABLED;
    const switchOver = () =>
      void change
        .mutateAsync({ body: { id, status: isEnabled ? CHANNEL_DISABLED_BY_HAND : CHANNEL_ENABLED } })
        .then(() => notify.success(t("action.done")))
        .catch(() => undefined);
    const tryIt = () =>
      void test
        .mutateAsync({ params: { id } })
        .then(({ time }) => notify.success(t("command.tested", { name, seconds: time.toFixed(2) })))
        .catch(() => undefined);
    return [
      command("", name, go(`/channel/${id}`)),
      command("edit", t("command.edit", { name }), go(`/channel/edit/${id}`), t("nav.channel")),
      command("profit", t("command.profitOf", { name }), go(`/channel/${id}?tab=profit`)),
      command(
        "switch",
        t(isEnabled ? "command.disableChannel" : "command.enableChannel", { name }),
        switchOver,
      ),
      command("test", t("command.testChannel", { name }), tryIt),
    ];
  };
};

/** Commands of a found user. */
const useUserCommands = (): ((user: Pick<User, "id" | "username">) => Command[]) => {
  const { t } = useTranslation();
  const go = useGo();
  return ({ id, username: name }) => {
    const command = commandOf("user", id);
    const search = `username=${encodeURIComponent(name)}`;
    return [
      command("", name, go(`/user/${id}`)),
      command("edit", t("command.edit", { name }), go(`/user/edit/${id}`), t("nav.user")),
      command("log", t("command.logOf", { name }), go(`/log?${search}`)),
      command("ledger", t("command.ledgerOf", { name }), go(`/ledger?${search}`)),
      command("statement", t("command.statementOf", { name }), go(`/user/${id}?tab=statement`)),
    ];
  };
};

/** Commands of a found key. */
const useTokenCommands = (): ((token: Pick<Token, "id" | "name" | "key">) => Command[]) => {
  const { t } = useTranslation();
  const go = useGo();
  const words = t("nav.token");
  return ({ id, name, key }) => {
    const command = commandOf("token", id);
    const copy = () => void copyOrShow(bearerKey(key), (text) => notify.info(text));
    return [
      command("", name, go(`/token/${id}`), words),
      command("edit", t("command.edit", { name }), go(`/token/edit/${id}`), words),
      command("copy", t("command.copyKey", { name }), copy, words),
      command("rotate", t("command.rotate", { name }), go(`/token/${id}?rotate=true`), words),
      command("connect", t("command.connect", { name }), go(`/token/connect?id=${id}`), words),
    ];
  };
};

/** Matching records by kind. With several words typed, the last one alone may name the record. */
export const useRecordCommands = (typed: string): { groups: CommandGroup[]; isSearching: boolean } => {
  const { t } = useTranslation();
  const go = useGo();
  const { isAdmin } = useSession();
  const channelCommands = useChannelCommands();
  const userCommands = useUserCommands();
  const tokenCommands = useTokenCommands();
  const text = typed.trim();
  const isRequest = REQUEST_ID.test(text);
  const last = wordsOf(text).at(-1)?.replace(/^#/, "") ?? "";
  const whole = useFound(isRequest ? "" : text);
  const byLast = useFound(isRequest || last === text ? "" : last);
  const { models = [], plans = [] } = useKept(text !== "" && !isRequest) ?? {};
  /** The records of both searches as commands; results of the last word alone must match the whole text. */
  const commandsOf = <Row extends { id: number }>(
    pick: (data: NonNullable<typeof whole.data>) => readonly Row[],
    commands: (row: Row) => Command[],
  ): Command[] => {
    const own = text !== "" && whole.data ? pick(whole.data) : [];
    const others = last !== text && text !== "" && byLast.data ? pick(byLast.data) : [];
    return [
      ...own.flatMap(commands),
      ...others
        .filter(({ id }) => !own.some((row) => row.id === id))
        .flatMap(commands)
        .map((command) => ({ ...command, isFound: false })),
    ];
  };
  const request = {
    id: "request",
    label: t("command.request", { id: text }),
    run: go(`/log/receipt/${text}`),
  };
  const groups: CommandGroup[] = [
    { label: t("command.requests"), commands: isRequest ? [request] : [] },
    { label: t("nav.channel"), commands: commandsOf(({ channels }) => channels, channelCommands) },
    { label: t("nav.user"), commands: commandsOf(({ users }) => users, userCommands) },
    { label: t("nav.token"), commands: commandsOf(({ tokens }) => tokens, tokenCommands) },
    {
      label: t("command.models"),
      commands: models.map((model) => ({
        id: `model-${model}`,
        label: model,
        run: go(`/model/${encodeURIComponent(model)}`),
      })),
    },
    {
      label: t("nav.orders"),
      commands: commandsOf(
        ({ orders }) => orders,
        ({ id, number, username }) => [
          { ...commandOf("order", id)("", number, go(`/order/${number}`)), hint: username },
        ],
      ),
    },
    {
      label: t("nav.plan"),
      commands: plans.map(({ id, title }) => ({
        id: `plan-${id}`,
        label: title,
        run: go(isAdmin ? `/plan/manage/edit/${id}` : "/plan"),
      })),
    },
    {
      label: t("nav.redemption"),
      commands: commandsOf(
        ({ codes }) => codes,
        ({ id, name }) => [commandOf("code", id)("", name, go(`/redemption/edit/${id}`))],
      ),
    },
  ];
  return { groups, isSearching: whole.isFetching || byLast.isFetching };
};
