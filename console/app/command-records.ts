import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { MenuEntry } from "../components/menu";
import type { RowAction } from "../components/row-actions";
import { formatTime } from "../lib/format";
import { notify } from "../lib/notify";
import { useSession } from "../lib/session";
import { MAX_RECORDS, useFoundRecords, useKeptRecords } from "./found-records";
import { type Command, type CommandGroup, wordsOf } from "./rank-commands";
import type { ActedRow } from "./record-actions";
import { placeOf, turnTo } from "./turn-to";

/** Request ids begin with the time, to the second at least. */
const REQUEST_ID = /^\d{14,}[0-9A-Za-z]+$/;

type Kind = ActedRow["kind"] | "model" | "node" | "order" | "ticket";

/** A record that the menu offers: where it opens, and the row whose actions it has. */
interface Entry {
  kind: Kind;
  id: string | number;
  name: string;
  hint?: string;
  to: string;
  /** The page shows it among others, by its name. */
  isAmongOthers?: boolean;
  acted?: ActedRow;
  /** Other pages about it. */
  views?: readonly { id: string; label: string; to: string }[];
  /** The server found it by the whole text. */
  isFound?: boolean;
}

/** An entry with a row whose actions are wanted, for `RecordActions`. */
export interface ActedEntry {
  key: string;
  acted: ActedRow;
  declare: (actions: readonly RowAction[]) => void;
}

const keyOf = ({ kind, id }: Entry): string => `${kind}-${id}`;

/** Whether two declarations offer the same: each call of them works as long as they do. */
const offersSame = (one: readonly RowAction[] | undefined, other: readonly RowAction[]): boolean =>
  one?.length === other.length &&
  other.every(({ label, refusal }, index) => one[index]?.label === label && one[index].refusal === refusal);

/** The actions of the rows, as their components have declared them. */
const useDeclared = () => {
  const [declared, setDeclared] = useState<ReadonlyMap<string, readonly RowAction[]>>(new Map());
  const declare = (key: string) => (actions: readonly RowAction[]) =>
    setDeclared((before) =>
      offersSame(before.get(key), actions) ? before : new Map(before).set(key, actions),
    );
  return { declared, declare };
};

/** The rows that the server found by the text. */
const useFoundEntries = (found: ReturnType<typeof useFoundRecords>): Entry[] => {
  const { t } = useTranslation();
  if (!found.data) return [];
  const { channels, users, tokens, otherTokens, codes, orders } = found.data.rows;
  const isFound = found.isCurrent && !found.data.isByLastWord;
  const entries: Entry[] = [
    ...channels.map((row): Entry => {
      const { id, name } = row;
      const profit = {
        id: "profit",
        label: t("command.profitOf", { name }),
        to: `/channel/${id}?tab=profit`,
      };
      return {
        kind: "channel",
        id,
        name,
        to: `/channel/${id}`,
        acted: { kind: "channel", row },
        views: [
          profit,
          { id: "buying", label: t("command.buyingOf", { name }), to: `/channel/buying/${id}` },
        ],
      };
    }),
    ...users.map((row): Entry => {
      const { id, username: name } = row;
      const search = `username=${encodeURIComponent(name)}`;
      return {
        kind: "user",
        id,
        name,
        to: `/user/${id}`,
        acted: { kind: "user", row },
        views: [
          { id: "log", label: t("command.logOf", { name }), to: `/log?${search}` },
          { id: "ledger", label: t("command.ledgerOf", { name }), to: `/ledger?${search}` },
          { id: "statement", label: t("command.statementOf", { name }), to: `/user/${id}?tab=statement` },
        ],
      };
    }),
    ...tokens.map(
      (row): Entry => ({
        kind: "token",
        id: row.id,
        name: row.name,
        to: `/token/${row.id}`,
        acted: { kind: "token", row },
      }),
    ),
    // Only owners change keys: those of others have a page and no actions.
    ...otherTokens
      .filter(({ id }) => !tokens.some((own) => own.id === id))
      .map(
        ({ id, name, username }): Entry => ({
          kind: "token",
          id,
          name: name || `#${id}`,
          hint: `${username} · #${id}`,
          to: `/token/${id}`,
        }),
      ),
    ...codes.map(
      (row): Entry => ({
        kind: "code",
        id: row.id,
        name: row.name,
        to: `/redemption/edit/${row.id}`,
        acted: { kind: "code", row },
      }),
    ),
    ...orders.map(
      ({ id, number, username }): Entry => ({
        kind: "order",
        id,
        name: number,
        hint: username,
        to: `/order/${number}`,
      }),
    ),
  ];
  return entries.map((entry) => ({ hint: `#${entry.id}`, ...entry, isFound }));
};

type Lists = ReturnType<typeof useKeptRecords>["lists"];

/** Plans, promotions and tickets. An administrator's own ticket may be in both lists of tickets. */
const saleEntries = (lists: Lists): Entry[] => {
  const tickets = lists.tickets.data ?? [];
  const ownTickets = lists.ownTickets.data ?? [];
  return [
    ...(lists.plans.data ?? []).map(
      (row): Entry => ({
        kind: "plan",
        id: row.id,
        name: row.title,
        to: `/plan/manage/edit/${row.id}`,
        acted: { kind: "plan", row },
      }),
    ),
    ...(lists.offeredPlans.data ?? []).map(
      ({ id, title }): Entry => ({ kind: "plan", id, name: title, to: "/plan", isAmongOthers: true }),
    ),
    ...(lists.subscriptions.data ?? []).map(
      (row): Entry => ({
        kind: "subscription",
        id: row.id,
        name: `${row.title} · ${row.username || `#${row.userId}`}`,
        hint: formatTime(row.startsAt),
        to: `/plan/subscribers?q=${row.userId}`,
        acted: { kind: "subscription", row },
      }),
    ),
    ...(lists.promotions.data ?? []).map(
      (row): Entry => ({
        kind: "promotion",
        id: row.id,
        name: row.code === "" || row.code === row.name ? row.name : `${row.name} · ${row.code}`,
        to: `/promotion/edit/${row.id}`,
        acted: { kind: "promotion", row },
      }),
    ),
    ...tickets.map(
      ({ id, subject, username }): Entry => ({
        kind: "ticket",
        id,
        name: subject,
        hint: `${username} · #${id}`,
        to: `/ticket/manage/${id}`,
      }),
    ),
    ...ownTickets
      .filter(({ id }) => !tickets.some((each) => each.id === id))
      .map(
        ({ id, subject }): Entry => ({
          kind: "ticket",
          id,
          name: subject,
          hint: `#${id}`,
          to: `/ticket/${id}`,
        }),
      ),
  ];
};

/** The rows of the lists that are searched here. */
const keptEntriesOf = (lists: Lists): Entry[] => {
  const all: Entry[] = [
    ...(lists.models.data?.data ?? []).map(
      ({ model_name: name }): Entry => ({
        kind: "model",
        id: name,
        name,
        to: `/model/${encodeURIComponent(name)}`,
      }),
    ),
    ...saleEntries(lists),
    ...(lists.announcements.data ?? []).map(
      (row): Entry => ({
        kind: "announcement",
        id: row.id,
        name: row.title,
        to: `/setting/announcements/edit/${row.id}`,
        acted: { kind: "announcement", row },
      }),
    ),
    ...(lists.pastAnnouncements.data ?? []).map(
      ({ id, title }): Entry => ({
        kind: "announcement",
        id,
        name: title,
        to: "/announcement",
        isAmongOthers: true,
      }),
    ),
    ...(lists.rules.data?.rules ?? []).map(
      (row): Entry => ({
        kind: "rule",
        id: row.name,
        name: row.name,
        hint: row.username,
        to: `/pricing/rules?rule=${encodeURIComponent(row.name)}`,
        acted: { kind: "rule", row },
      }),
    ),
    ...(lists.drafts.data ?? []).map(
      (row): Entry => ({
        kind: "draft",
        id: row.id,
        name: row.name,
        to: `/pricing/rehearsal?draft=${row.id}`,
        acted: { kind: "draft", row },
      }),
    ),
    ...(lists.reconciliations.data ?? []).map(
      (row): Entry => ({
        kind: "reconciliation",
        id: row.id,
        name: row.channel_name || `#${row.channel}`,
        hint: formatTime(row.first_at),
        to: `/reconciliation?id=${row.id}`,
        acted: { kind: "reconciliation", row },
      }),
    ),
    ...(lists.nodes.data ?? []).map(
      ({ id, name, address = "" }): Entry => ({
        kind: "node",
        id: id ?? address,
        name: name || address || `#${id}`,
        hint: address,
        to: "/node",
        isAmongOthers: true,
      }),
    ),
  ];
  return all;
};

/** Commands from a row's action. */
const useActionCommands = () => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (entry: Entry, action: RowAction): Command[] => {
    const { kind, name, hint } = entry;
    const noun = t(`command.kind.${kind}`);
    const command = ({ label, link, refusal, onSelect }: RowAction | MenuEntry, id = label): Command => ({
      id: `${keyOf(entry)}-${id}`,
      label,
      hint: refusal ?? hint,
      words: `${noun} ${hint ?? ""} ${action.label}${noun}`,
      isFound: entry.isFound,
      run: () => {
        if (refusal !== undefined) return notify.info(refusal);
        // A row's link is a link of the router; its menu sets text and style only.
        return link ? navigate(link.props as object) : onSelect?.();
      },
    });
    const label = t("command.actionOn", { action: action.label, kind: noun, name });
    const own = { ...command({ ...action, label }, action.label), question: action.question };
    const others = (action.others?.entries ?? []).map((each) =>
      command({ ...each, label: `${label} › ${each.label}` }),
    );
    return action.onSelect || action.link ? [own, ...others] : others;
  };
};

/** Matching records by kind, with the actions of their rows. */
export const useRecordCommands = (typed: string) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { isAdmin } = useSession();
  const text = typed.trim();
  const isRequest = REQUEST_ID.test(text);
  const go = (href: string) => () => void navigate({ href });
  const open =
    ({ to, name, isAmongOthers = false }: Entry) =>
    async () => {
      await navigate({ href: to });
      if (isAmongOthers) turnTo(() => placeOf(name));
    };
  const found = useFoundRecords(isRequest ? "" : text);
  const kept = useKeptRecords(text !== "" && !isRequest);
  const foundEntries = useFoundEntries(found);
  const keptEntries = keptEntriesOf(kept.lists);
  const commandsOfAction = useActionCommands();
  const { declared, declare } = useDeclared();
  const words = wordsOf(text);
  const isNamed = ({ name }: Entry): boolean =>
    words.some((word) => name.toLowerCase().includes(word.replace(/^#/, "")));
  const entries = text === "" ? [] : [...foundEntries, ...keptEntries];
  const kinds = [...new Set(keptEntries.map(({ kind }) => kind))];
  const named = kinds.flatMap((kind) =>
    keptEntries.filter((entry) => entry.kind === kind && isNamed(entry)).slice(0, MAX_RECORDS),
  );
  const acted = (text === "" ? [] : [...foundEntries, ...named]).flatMap((entry): ActedEntry[] =>
    entry.acted ? [{ key: keyOf(entry), acted: entry.acted, declare: declare(keyOf(entry)) }] : [],
  );
  const asked = new Set(acted.map(({ key }) => key));
  const commandsOf = (entry: Entry): Command[] => {
    const noun = t(`command.kind.${entry.kind}`);
    const base = { hint: entry.hint, words: noun, isFound: entry.isFound };
    const key = keyOf(entry);
    return [
      { ...base, id: key, label: entry.name, run: open(entry) },
      ...(entry.views ?? []).map(({ id, label, to }) => ({
        ...base,
        id: `${key}-${id}`,
        label,
        run: go(to),
      })),
      ...(asked.has(key) ? (declared.get(key) ?? []) : []).flatMap((action) =>
        commandsOfAction(entry, action),
      ),
    ];
  };
  const request = {
    id: "request",
    label: t("command.request", { id: text }),
    run: go(`/log/receipt/${text}`),
  };
  const group = (label: string, kind: Kind): CommandGroup => ({
    label,
    commands: entries.filter((entry) => entry.kind === kind).flatMap(commandsOf),
  });
  const groups: CommandGroup[] = [
    { label: t("command.requests"), commands: isRequest ? [request] : [] },
    group(t("nav.channel"), "channel"),
    group(t("nav.user"), "user"),
    group(t("nav.token"), "token"),
    group(t("command.models"), "model"),
    group(t("nav.orders"), "order"),
    group(t("nav.plan"), "plan"),
    group(t("nav.subscribers"), "subscription"),
    group(t("nav.redemption"), "code"),
    group(t("nav.promotion"), "promotion"),
    group(t(isAdmin ? "nav.ticketManage" : "nav.ticket"), "ticket"),
    group(t(isAdmin ? "nav.announcementManage" : "nav.announcements"), "announcement"),
    group(t("nav.priceRules"), "rule"),
    group(t("nav.rehearsal"), "draft"),
    group(t("nav.reconciliation"), "reconciliation"),
    group(t("nav.node"), "node"),
  ];
  return {
    groups,
    acted,
    isSearching: found.isSearching || kept.isSearching,
    hasFailed: text !== "" && !isRequest && (found.hasFailed || kept.hasFailed),
    retry: () => {
      if (found.hasFailed) found.retry();
      kept.retry();
    },
  };
};
