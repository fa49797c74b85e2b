import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type Channel, changeChannel, searchChannels, testChannel } from "@tollgate/contract/api/channels";
import { getOwnOrder, listOrders } from "@tollgate/contract/api/orders";
import { listOfferedPlans, listPlans } from "@tollgate/contract/api/plans";
import { getPricing } from "@tollgate/contract/api/pricing";
import { searchRedemptions } from "@tollgate/contract/api/redemptions";
import { searchTokens } from "@tollgate/contract/api/tokens";
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

/** How many records of a kind are shown. */
const MAX_RECORDS = 5;
/** Models and plans rarely change while a person looks for one. */
const KEPT_MS = 60_000;

/** Request ids begin with the time, to the second at least. */
const REQUEST_ID = /^\d{14,}[0-9A-Za-z]+$/;
/** How the number of an order begins. Shorter ones are names. */
const ORDER_NUMBER = /^[\da-f]{6,32}$/i;

/** A list that does not answer leaves the others' finds as they are. */
const found = <Row>(rows: Promise<Row[]>): Promise<Row[]> =>
  rows.then((all) => all.slice(0, MAX_RECORDS)).catch(() => []);

/** Records that the server finds by a text, as far as this person may see them. */
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

/** Models and plans, which are few: they are read once and looked through here. */
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

/** What can be done with a channel that was found. The menu has closed when it is done: callbacks of `mutate` would be dropped. */
const useChannelCommands = (): ((channel: Channel) => Command[]) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const change = useEndpoint(changeChannel);
  const test = useEndpoint(testChannel);
  return ({ id, name, status }) => {
    const isEnabled = status === CHANNEL_ENABLED;
    const hint = `#${id}`;
    return [
      {
        id: `channel-${id}`,
        label: name,
        hint,
        isFound: true,
        run: () => void navigate({ to: "/channel/$id", params: { id: String(id) } }),
      },
      {
        id: `channel-edit-${id}`,
        label: t("command.edit", { name }),
        hint,
        words: t("nav.channel"),
        isFound: true,
        run: () => void navigate({ to: "/channel/edit/$id", params: { id: String(id) } }),
      },
      {
        id: `channel-profit-${id}`,
        label: t("command.profitOf", { name }),
        hint,
        isFound: true,
        run: () => void navigate({ href: `/channel/${id}?tab=profit` }),
      },
      {
        id: `channel-switch-${id}`,
        label: t(isEnabled ? "command.disableChannel" : "command.enableChannel", { name }),
        hint,
        isFound: true,
        run: () =>
          void change
            .mutateAsync({ body: { id, status: isEnabled ? CHANNEL_DISABLED_BY_HAND : CHANNEL_ENABLED } })
            .then(() => notify.success(t("action.done")))
            .catch(() => undefined),
      },
      {
        id: `channel-test-${id}`,
        label: t("command.testChannel", { name }),
        hint,
        isFound: true,
        run: () =>
          void test
            .mutateAsync({ params: { id } })
            .then(({ time }) => notify.success(t("command.tested", { name, seconds: time.toFixed(2) })))
            .catch(() => undefined),
      },
    ];
  };
};

/** The records that fit what was typed, by their kinds. Where several words were typed, the last one may be what names the record. */
export const useRecordCommands = (typed: string): { groups: CommandGroup[]; isSearching: boolean } => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { isAdmin } = useSession();
  const channelCommands = useChannelCommands();
  const text = typed.trim();
  const isRequest = REQUEST_ID.test(text);
  const last = wordsOf(text).at(-1)?.replace(/^#/, "") ?? "";
  const whole = useFound(isRequest ? "" : text);
  const byLast = useFound(isRequest || last === text ? "" : last);
  const kept = useKept(text !== "" && !isRequest);
  const go = (to: string) => () => void navigate({ href: to });
  /** The records of both searches as commands; what only the last word found must fit as a whole. */
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
  const groups: CommandGroup[] = [
    {
      label: t("command.requests"),
      commands: isRequest
        ? [{ id: "request", label: t("command.request", { id: text }), run: go(`/log/receipt/${text}`) }]
        : [],
    },
    { label: t("nav.channel"), commands: commandsOf(({ channels }) => channels, channelCommands) },
    {
      label: t("nav.user"),
      commands: commandsOf(
        ({ users }) => users,
        ({ id, username }) => {
          const user = { hint: `#${id}`, isFound: true };
          const search = `username=${encodeURIComponent(username)}`;
          return [
            { id: `user-${id}`, label: username, ...user, run: go(`/user/${id}`) },
            {
              id: `user-edit-${id}`,
              label: t("command.edit", { name: username }),
              words: t("nav.user"),
              ...user,
              run: go(`/user/edit/${id}`),
            },
            {
              id: `user-log-${id}`,
              label: t("command.logOf", { name: username }),
              ...user,
              run: go(`/log?${search}`),
            },
            {
              id: `user-ledger-${id}`,
              label: t("command.ledgerOf", { name: username }),
              ...user,
              run: go(`/ledger?${search}`),
            },
            {
              id: `user-statement-${id}`,
              label: t("command.statementOf", { name: username }),
              ...user,
              run: go(`/user/${id}?tab=statement`),
            },
          ];
        },
      ),
    },
    {
      label: t("nav.token"),
      commands: commandsOf(
        ({ tokens }) => tokens,
        ({ id, name, key }) => {
          const token = { hint: `#${id}`, words: t("nav.token"), isFound: true };
          return [
            { id: `token-${id}`, label: name, ...token, run: go(`/token/${id}`) },
            {
              id: `token-edit-${id}`,
              label: t("command.edit", { name }),
              ...token,
              run: go(`/token/edit/${id}`),
            },
            {
              id: `token-copy-${id}`,
              label: t("command.copyKey", { name }),
              ...token,
              run: () => void copyOrShow(bearerKey(key), (text) => notify.info(text)),
            },
            {
              id: `token-rotate-${id}`,
              label: t("command.rotate", { name }),
              ...token,
              run: go(`/token/${id}?rotate=true`),
            },
            {
              id: `token-connect-${id}`,
              label: t("command.connect", { name }),
              ...token,
              run: go(`/token/connect?id=${id}`),
            },
          ];
        },
      ),
    },
    {
      label: t("command.models"),
      commands: (kept?.models ?? []).map((model) => ({
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
          {
            id: `order-${id}`,
            label: number,
            hint: username,
            isFound: true,
            run: go(`/order/${number}`),
          },
        ],
      ),
    },
    {
      label: t("nav.plan"),
      commands: (kept?.plans ?? []).map(({ id, title }) => ({
        id: `plan-${id}`,
        label: title,
        run: go(isAdmin ? `/plan/manage/edit/${id}` : "/plan"),
      })),
    },
    {
      label: t("nav.redemption"),
      commands: commandsOf(
        ({ codes }) => codes,
        ({ id, name }) => [
          { id: `code-${id}`, label: name, hint: `#${id}`, isFound: true, run: go(`/redemption/edit/${id}`) },
        ],
      ),
    },
  ];
  return { groups, isSearching: whole.isFetching || byLast.isFetching };
};
