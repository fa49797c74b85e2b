import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type Channel, changeChannel, searchChannels } from "@tollgate/contract/api/channels";
import { searchTokens } from "@tollgate/contract/api/tokens";
import { searchUsers } from "@tollgate/contract/api/users";
import { CHANNEL_DISABLED_BY_HAND, CHANNEL_ENABLED, LOG_ERROR } from "@tollgate/contract/values/statuses";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { findOptions } from "../features/settings/find-options";
import { callEndpoint } from "../lib/call-endpoint";
import { notify } from "../lib/notify";
import { useSession } from "../lib/session";
import { THEMES, useTheme } from "../lib/theme";
import { useEndpoint } from "../lib/use-endpoint";
import { useNavigation } from "./navigation";

/** Something that the command menu leads to or does. */
export interface Command {
  id: string;
  label: string;
  hint?: string;
  run: () => void;
}

interface CommandGroup {
  label: string;
  commands: Command[];
}

/** A record's search is asked for once typing pauses. */
const PAUSE_MS = 200;
/** How many records of a kind are shown. */
const MAX_RECORDS = 5;

/** How many settings are shown. */
const MAX_OPTIONS = 8;

/** Request ids begin with the time, to the second at least. */
const REQUEST_ID = /^\d{14,}[0-9A-Za-z]+$/;

const usePaused = (text: string): string => {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
};

/** Records whose names begin with what was typed, as far as this person may see them. */
const useRecords = (text: string) => {
  const { isAdmin } = useSession();
  const keyword = usePaused(text);
  return useQuery({
    queryKey: ["command-records", isAdmin, keyword],
    queryFn: async ({ signal }) => {
      const call = { query: { keyword } };
      // A list that does not answer leaves the others' finds as they are.
      const found = <Row>(rows: Promise<Row[]>): Promise<Row[]> =>
        rows.then((all) => all.slice(0, MAX_RECORDS)).catch(() => []);
      const [channels, users, tokens] = await Promise.all([
        isAdmin ? found(callEndpoint(searchChannels, call, signal)) : [],
        isAdmin ? found(callEndpoint(searchUsers, call, signal)) : [],
        found(callEndpoint(searchTokens, call, signal)),
      ]);
      return { channels, users, tokens };
    },
    enabled: keyword !== "",
    meta: { silent: true },
    staleTime: 10_000,
  });
};

/** What can be made or switched, whatever page is open. */
const useActions = (): Command[] => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { isAdmin } = useSession();
  const [, setTheme] = useTheme();
  const go = (to: string) => () => void navigate({ href: to });
  return [
    { id: "new-token", label: t("command.newToken"), run: go("/token/add") },
    ...(isAdmin
      ? [
          { id: "new-channel", label: t("command.newChannel"), run: go("/channel/add") },
          { id: "new-code", label: t("command.newCode"), run: go("/redemption/add") },
          { id: "new-user", label: t("command.newUser"), run: go("/user/add") },
        ]
      : []),
    { id: "failures", label: t("command.failures"), run: go(`/log?type=${LOG_ERROR}`) },
    ...THEMES.map((theme) => ({
      id: `theme-${theme}`,
      label: t("nav.theme", { theme: t(`theme.${theme}`) }),
      run: () => setTheme(theme),
    })),
  ];
};

/** What can be done with a channel that was found. */
const useChannelCommands = (): ((channel: Channel) => Command[]) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const change = useEndpoint(changeChannel);
  return ({ id, name, status }) => {
    const isEnabled = status === CHANNEL_ENABLED;
    return [
      {
        id: `channel-${id}`,
        label: name,
        hint: `#${id}`,
        run: () => void navigate({ to: "/channel/edit/$id", params: { id: String(id) } }),
      },
      {
        id: `channel-switch-${id}`,
        label: t(isEnabled ? "command.disableChannel" : "command.enableChannel", { name }),
        hint: `#${id}`,
        run: () =>
          change.mutate(
            { body: { id, status: isEnabled ? CHANNEL_DISABLED_BY_HAND : CHANNEL_ENABLED } },
            { onSuccess: () => notify.success(t("action.done")) },
          ),
      },
    ];
  };
};

const fits = (typed: string) => {
  const words = typed.toLowerCase().split(/\s+/);
  return ({ label, hint = "" }: Command): boolean =>
    words.every((word) => `${label} ${hint}`.toLowerCase().includes(word));
};

/** Every page, action and record that fits what was typed; without a word, the pages and actions. */
export const useCommands = (typed: string): { groups: CommandGroup[]; isSearching: boolean } => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const text = typed.trim();
  const sections = useNavigation();
  const { isAdmin } = useSession();
  const actions = useActions();
  const channelCommands = useChannelCommands();
  const { data: records, isFetching } = useRecords(REQUEST_ID.test(text) ? "" : text);
  const isFit = fits(text);
  const pages = sections.flatMap((section) =>
    section.pages.map(({ to, label }) => ({
      id: to,
      label: t(label),
      hint: to === section.to ? undefined : t(section.label),
      run: () => void navigate({ to }),
    })),
  );
  const options = isAdmin
    ? findOptions(text, t)
        .slice(0, MAX_OPTIONS)
        .map(({ key, label, section, tab }) => ({
          id: `option-${key}`,
          label,
          hint: `${t(`setting.tab.${tab}`)} › ${t(`setting.section.${section}`)}`,
          run: () => void navigate({ to: "/setting", search: { tab, option: key } }),
        }))
    : [];
  const request: Command[] = REQUEST_ID.test(text)
    ? [
        {
          id: "request",
          label: t("command.request", { id: text }),
          run: () => void navigate({ to: "/log/receipt/$requestId", params: { requestId: text } }),
        },
      ]
    : [];
  const found = text === "" ? undefined : records;
  const groups: CommandGroup[] = [
    { label: t("command.requests"), commands: request },
    { label: t("command.pages"), commands: pages.filter(isFit) },
    { label: t("command.actions"), commands: actions.filter(isFit) },
    { label: t("nav.setting"), commands: options },
    { label: t("nav.channel"), commands: found?.channels.flatMap(channelCommands) ?? [] },
    {
      label: t("nav.user"),
      commands:
        found?.users.flatMap(({ id, username }) => [
          {
            id: `user-${id}`,
            label: username,
            hint: `#${id}`,
            run: () => void navigate({ to: "/user/edit/$id", params: { id: String(id) } }),
          },
          {
            id: `user-log-${id}`,
            label: t("command.logOf", { name: username }),
            run: () => void navigate({ to: "/log", search: { username } }),
          },
          {
            id: `user-ledger-${id}`,
            label: t("command.ledgerOf", { name: username }),
            run: () => void navigate({ to: "/ledger", search: { username } }),
          },
        ]) ?? [],
    },
    {
      label: t("nav.token"),
      commands:
        found?.tokens.map(({ id, name }) => ({
          id: `token-${id}`,
          label: name,
          hint: `#${id}`,
          run: () => void navigate({ to: "/token/edit/$id", params: { id: String(id) } }),
        })) ?? [],
    },
  ];
  return { groups: groups.filter(({ commands }) => commands.length > 0), isSearching: isFetching };
};
