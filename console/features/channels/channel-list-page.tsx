import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ChannelTag } from "@tollgate/contract/api/channel-batches";
import type { Channel } from "@tollgate/contract/api/channels";
import { CHANNEL_FILTERS, exportChannels } from "@tollgate/contract/api/channels";
import { isNarrowed } from "@tollgate/contract/resource/list-filter";
import {
  CHANNEL_DISABLED_AUTOMATICALLY,
  CHANNEL_DISABLED_BY_HAND,
  CHANNEL_ENABLED,
} from "@tollgate/contract/values/statuses";
import { VENDOR_CARDS } from "@tollgate/vendors/slim/cards";
import { Cable } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AddLink } from "../../components/add-link";
import { Badge } from "../../components/badge";
import { buttonVariants } from "../../components/button";
import type { Column } from "../../components/data-table";
import { DismissibleNotice } from "../../components/dismissible-notice";
import { EmptyState } from "../../components/empty-state";
import { ExportButton } from "../../components/export-button";
import { GroupBadges } from "../../components/group-badges";
import { LazyBoundary } from "../../components/lazy-boundary";
import { ListPage } from "../../components/list-page";
import { useActionsColumn } from "../../components/row-actions";
import { useBoxes } from "../../components/selection-boxes";
import { groupsQuery } from "../../lib/groups";
import { loadTexts } from "../../lib/i18n";
import { modelsQuery } from "../../lib/known-models";
import { useChosenColumns } from "../../lib/use-chosen-columns";
import type { FilterChoice } from "../../lib/use-list-filter";
import { useNarrowedList } from "../../lib/use-narrowed-list";
import { type Selection, useSelection } from "../../lib/use-selection";
import { useVendorName } from "../../lib/vendor-name";
import { BulkProgressBars } from "./bulk-progress";
import { ChannelActions } from "./channel-actions";
import { ChannelBulkActions } from "./channel-bulk-actions";
import { Balance, ChannelNumber, ChannelState, ChannelType, ClosedMark, ResponseTime } from "./channel-cells";
import {
  channelPages,
  channelTagQuery,
  channelTagsQuery,
  foundChannels,
  queriedChannels,
} from "./channel-queries";
import { useTrafficColumn } from "./channel-traffic";
import { ChannelUseMark, ShownChannels } from "./channel-use";

// Loaded with the first selection.
const loadActionBar = async () => {
  const [bar] = await Promise.all([import("./channels-action-bar"), loadTexts(["batch"])]);
  return bar;
};

/** The columns of the channel list. */
const useColumns = (): Column<Channel>[] => {
  const { t } = useTranslation();
  const nameOf = useVendorName();
  return [
    {
      id: "id",
      label: t("field.id"),
      cell: (channel) => <span className="text-ink-3">{channel.id}</span>,
      sortBy: (channel) => channel.id,
      card: "head",
    },
    {
      id: "name",
      label: t("field.name"),
      cell: (channel) => (
        <span className="flex items-center gap-2 max-wide:flex-wrap">
          <Link
            to="/channel/$id"
            params={{ id: String(channel.id) }}
            title={channel.name}
            className="touch min-w-0 underline-offset-2 hover:text-accent hover:underline wide:truncate"
          >
            {channel.name || <span className="text-ink-3">{t("value.none")}</span>}
          </Link>
          {channel.tag !== "" && (
            <span className="shrink-0 font-normal">
              <Badge>{channel.tag}</Badge>
            </span>
          )}
        </span>
      ),
      sortBy: (channel) => channel.name,
      card: "head",
      className: "min-w-36 max-w-64 break-words font-medium",
    },
    {
      id: "group",
      label: t("field.group"),
      cell: (channel) => <GroupBadges groups={channel.groups} />,
      sortBy: (channel) => channel.groups.join(","),
    },
    {
      id: "type",
      label: t("field.type"),
      cell: (channel) => <ChannelType type={channel.type} />,
      sortBy: (channel) => nameOf(channel.type),
    },
    {
      id: "status",
      label: t("field.status"),
      cell: (channel) => (
        <span className="flex flex-wrap items-center gap-x-2 xl:flex-nowrap">
          <ChannelState channel={channel} />
          <ClosedMark channel={channel} />
          <ChannelUseMark channel={channel} />
        </span>
      ),
      sortBy: (channel) => channel.status,
      card: "side",
    },
    {
      id: "response_time",
      label: t("field.responseTime"),
      cell: (channel) => <ResponseTime channel={channel} />,
      sortBy: (channel) => channel.responseTimeMs,
      isNumber: true,
    },
    {
      id: "balance",
      label: t("field.balance"),
      cell: (channel) => <Balance channel={channel} />,
      sortBy: (channel) => channel.balance,
      isNumber: true,
    },
    {
      id: "priority",
      label: t("field.priority"),
      cell: (channel) => <ChannelNumber channel={channel} field="priority" />,
      sortBy: (channel) => channel.priority,
      isNumber: true,
    },
    {
      id: "weight",
      label: t("field.weight"),
      cell: (channel) => <ChannelNumber channel={channel} field="weight" />,
      isNumber: true,
    },
    useActionsColumn((channel) => <ChannelActions channel={channel} />),
  ];
};

/** The columns, with the traffic after the test results. */
const withTraffic = (columns: Column<Channel>[], traffic: Column<Channel>): Column<Channel>[] =>
  columns.toSpliced(
    columns.findIndex(({ id }) => id === "balance"),
    0,
    traffic,
  );

/** More tags than this are typed, with suggestions. */
const MAX_TAG_CHOICES = 100;

/** The filters of the channel list. @param isRead the list has loaded; groups, models and tags follow. */
const useFilters = (isRead: boolean, tags: readonly ChannelTag[]): FilterChoice[] => {
  const { t } = useTranslation();
  const nameOf = useVendorName();
  const extra = { enabled: isRead, meta: { silent: true } };
  const { data: groups = [] } = useQuery({ ...groupsQuery, ...extra });
  const { data: models = [] } = useQuery({ ...modelsQuery, ...extra });
  return [
    {
      column: "status",
      label: t("field.status"),
      choices: [
        [CHANNEL_ENABLED, t("status.enabled")],
        [CHANNEL_DISABLED_BY_HAND, t("status.disabled")],
        [CHANNEL_DISABLED_AUTOMATICALLY, t("status.autoDisabled")],
      ],
    },
    {
      column: "type",
      label: t("field.type"),
      choices: VENDOR_CARDS.map(({ type }) => [type, nameOf(type)]),
    },
    { column: "group", label: t("field.group"), choices: groups.map((group) => [group, group]) },
    {
      column: "models",
      label: t("field.model"),
      choices: models.map((model) => [model, model]),
      isTyped: true,
    },
    ...(tags.length > 0
      ? [
          {
            column: "tag",
            label: t("channel.tag"),
            choices: tags.map(({ tag, count }) => [tag, `${tag} (${count})`] as const),
            isTyped: tags.length > MAX_TAG_CHOICES,
          },
        ]
      : []),
  ];
};

interface ChosenProps {
  selection: Selection;
  /** The tag whose channels the list shows, all of them and no others. */
  tag: ChannelTag | undefined;
  onClearTag: () => void;
}

/** The actions on selected channels, or else on those with the tag. */
const Chosen = ({ selection: { chosen, clear, only }, tag, onClearTag }: ChosenProps) => {
  const { t } = useTranslation();
  const bar =
    chosen.size > 0
      ? {
          meant: { ids: [...chosen] },
          title: t("channel.choose.count", { count: chosen.size }),
          count: chosen.size,
          onClear: clear,
        }
      : tag && {
          meant: { tag: tag.tag },
          title: t("channel.choose.tag", { tag: tag.tag, count: tag.count }),
          count: tag.count,
          onClear: onClearTag,
        };
  return (
    bar && (
      <LazyBoundary
        key={chosen.size > 0 ? undefined : tag?.tag}
        load={loadActionBar}
        with={{ ...bar, onLeft: only }}
      />
    )
  );
};

/** The tag that the list is filtered by; a rare one is not among `tags`. @param tags undefined until they are known. */
const useChosenTag = (
  chosen: string | number | undefined,
  tags: readonly ChannelTag[] | undefined,
): ChannelTag | undefined => {
  const known = tags?.find(({ tag }) => tag === chosen);
  const isRare = tags !== undefined && known === undefined && typeof chosen === "string";
  const { data: rare } = useQuery({ ...channelTagQuery(String(chosen)), enabled: isRare });
  return known ?? (isRare ? rare?.find(({ tag }) => tag === chosen) : undefined);
};

/** /channel: the upstream connections. */
export const ChannelListPage = () => {
  const { t } = useTranslation();
  const columns = useColumns();
  const selection = useSelection();
  const page = useNarrowedList({
    pages: channelPages,
    queried: queriedChannels,
    found: foundChannels,
    columns,
    kinds: CHANNEL_FILTERS,
  });
  const isRead = page.list.rows !== undefined;
  const { data: tags } = useQuery({ ...channelTagsQuery, enabled: isRead });
  const { tag, ...otherFilters } = page.narrowed.filter;
  // Otherwise the actions would also reach channels that the list does not show.
  const showsWholeTag = page.search.q === undefined && !isNarrowed(otherFilters);
  const chosenTag = useChosenTag(showsWholeTag ? tag : undefined, tags);
  const filters = useFilters(isRead, tags ?? []);
  const traffic = useTrafficColumn(page.list.rows);
  const { shown, choices } = useChosenColumns("channel", withTraffic(columns, traffic));
  const withBoxes = useBoxes(selection, page.list.rows, ({ name }) => name);
  return (
    <ShownChannels value={page.list.rows ?? []}>
      <ListPage
        {...page}
        title={t("channel.title")}
        label={t("channel.title")}
        description={t("channel.description")}
        searchPlaceholder={t("channel.search")}
        above={
          <>
            <DismissibleNotice name="channel-test">{t("channel.notice")}</DismissibleNotice>
            <BulkProgressBars />
            <Chosen
              selection={selection}
              tag={chosenTag}
              onClearTag={() => page.narrowed.choose("tag", undefined)}
            />
          </>
        }
        filters={filters}
        columns={shown.map((column, index) => (index === 0 ? withBoxes(column) : column))}
        columnChoices={choices}
        rowKey={(channel) => channel.id}
        isFaint={(channel) => channel.status !== CHANNEL_ENABLED}
        primary={<AddLink to="/channel/add">{t("channel.add")}</AddLink>}
        actions={
          <>
            <ChannelBulkActions />
            <ExportButton
              file={exportChannels}
              query={() => ({ keyword: page.search.q, ...page.narrowed.filter })}
            />
          </>
        }
        empty={
          <EmptyState icon={<Cable />} title={t("channel.emptyTitle")} text={t("channel.emptyText")}>
            <Link to="/start" className={buttonVariants({ variant: "plain" })}>
              {t("channel.start")}
            </Link>
            <Link to="/channel/add" className={buttonVariants({ variant: "plain" })}>
              {t("channel.first")}
            </Link>
          </EmptyState>
        }
      />
    </ShownChannels>
  );
};
