import { Link } from "@tanstack/react-router";
import {
  ANNOUNCEMENT_FILTERS,
  ANNOUNCEMENT_LEVELS,
  type Announcement,
} from "@tollgate/contract/api/announcements";
import { splitList } from "@tollgate/contract/values/split-list";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { Megaphone } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AddLink } from "../../components/add-link";
import { Badge, StateMark, type Tone } from "../../components/badge";
import { buttonVariants } from "../../components/button";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { GroupBadges } from "../../components/group-badges";
import { ListPage } from "../../components/list-page";
import { timeColumn } from "../../components/plain-columns";
import { useActionsColumn } from "../../components/row-actions";
import { formatTime } from "../../lib/format";
import { useNarrowedList } from "../../lib/use-narrowed-list";
import { AnnouncementActions } from "./announcement-actions";
import { announcementPages, queriedAnnouncements } from "./announcement-queries";

type State = "scheduled" | "live" | "ended";

const TONES: Readonly<Record<State, Tone>> = { scheduled: "yellow", live: "green", ended: "grey" };

const stateOf = ({ startsAt, endsAt }: Announcement, now: number): State => {
  if (startsAt > now) return "scheduled";
  return endsAt !== 0 && endsAt <= now ? "ended" : "live";
};

/** The columns of the announcements. */
const useColumns = (now: number): Column<Announcement>[] => {
  const { t } = useTranslation();
  const actions = useActionsColumn((row: Announcement) => <AnnouncementActions announcement={row} />);
  return [
    {
      id: "title",
      label: t("announcement.name"),
      cell: ({ title, isPinned }) => (
        <span className="flex flex-wrap items-center gap-1.5">
          {title}
          {isPinned && <Badge>{t("announcement.pinned")}</Badge>}
        </span>
      ),
      sortBy: ({ title }) => title,
      card: "head",
      className: "min-w-40 max-w-96 break-words font-medium",
    },
    {
      id: "state",
      label: t("field.status"),
      cell: (row) => {
        const state = stateOf(row, now);
        return <StateMark tone={TONES[state]}>{t(`announcement.states.${state}`)}</StateMark>;
      },
      card: "side",
    },
    {
      id: "level",
      label: t("announcement.level"),
      cell: ({ level }) => (
        <Badge tone={level === "warning" ? "yellow" : "grey"}>{t(`announcement.levels.${level}`)}</Badge>
      ),
      sortBy: ({ level }) => level,
    },
    {
      id: "groups",
      label: t("announcement.groups"),
      cell: ({ groups, isPublic }) =>
        groups === "" ? (
          <span className="text-ink-2">
            {isPublic ? t("announcement.public") : t("announcement.allUsers")}
          </span>
        ) : (
          <GroupBadges groups={splitList(groups)} />
        ),
    },
    timeColumn("starts_at", t("announcement.startsAt"), ({ startsAt }) => startsAt),
    {
      id: "ends_at",
      label: t("announcement.endsAt"),
      cell: ({ endsAt }) =>
        formatTime(endsAt) || <span className="text-ink-3">{t("announcement.noEnd")}</span>,
      sortBy: ({ endsAt }) => endsAt,
      className: "wide:whitespace-nowrap",
    },
    {
      id: "author",
      label: t("announcement.author"),
      cell: ({ author }) => author || <span className="text-ink-3">{t("value.none")}</span>,
    },
    actions,
  ];
};

/** /setting/announcements: all announcements of the site, for administrators. */
export const AnnouncementListPage = () => {
  const { t } = useTranslation();
  const [now] = useState(() => toUnixSeconds(Date.now()));
  const columns = useColumns(now);
  const page = useNarrowedList({
    pages: announcementPages,
    queried: queriedAnnouncements,
    columns,
    kinds: ANNOUNCEMENT_FILTERS,
  });
  return (
    <ListPage
      {...page}
      title={t("announcement.manageTitle")}
      label={t("announcement.manageTitle")}
      description={t("announcement.manageDescription")}
      filters={[
        {
          column: "level",
          label: t("announcement.level"),
          choices: ANNOUNCEMENT_LEVELS.map((level) => [level, t(`announcement.levels.${level}`)]),
        },
        { column: "groups", label: t("announcement.groups"), choices: [], isTyped: true },
      ]}
      columns={columns}
      rowKey={({ id }) => id}
      isFaint={(row) => stateOf(row, now) === "ended"}
      primary={<AddLink to="/setting/announcements/add">{t("announcement.add")}</AddLink>}
      empty={
        <EmptyState
          icon={<Megaphone />}
          title={t("announcement.noneTitle")}
          text={t("announcement.noneText")}
        >
          <Link to="/setting/announcements/add" className={buttonVariants({ variant: "plain" })}>
            {t("announcement.first")}
          </Link>
        </EmptyState>
      }
    />
  );
};
