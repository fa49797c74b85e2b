import { Link } from "@tanstack/react-router";
import {
  type Announcement,
  changeAnnouncement,
  deleteAnnouncement,
  listAnnouncements,
} from "@tollgate/contract/api/announcements";
import { useTranslation } from "react-i18next";
import { type RowAction, RowActions } from "../../components/row-actions";
import { useRowEndpoint } from "../../lib/endpoint-lists";
import { notify } from "../../lib/notify";

/** Actions on one announcement. */
export const useAnnouncementActions = (announcement: Announcement): readonly RowAction[] => {
  const { t } = useTranslation();
  const { id, title, isPinned } = announcement;
  const change = useRowEndpoint(listAnnouncements, id, changeAnnouncement, (changed) => changed);
  const remove = useRowEndpoint(listAnnouncements, id, deleteAnnouncement, () => "deleted");
  const done = () => notify.success(t("action.done"));
  return [
    {
      label: t("action.edit"),
      link: <Link to="/setting/announcements/edit/$id" params={{ id: String(id) }} />,
    },
    {
      label: isPinned ? t("announcement.unpin") : t("announcement.pin"),
      isBusy: change.isPending,
      onSelect: () => change.mutateAsync({ params: { id }, body: { is_pinned: !isPinned } }).then(done),
    },
    {
      label: t("action.delete"),
      isDanger: true,
      question: {
        question: t("announcement.deleteQuestion", { title }),
        consequence: t("announcement.deleteConsequence"),
        confirm: t("action.delete"),
      },
      onSelect: () => remove.mutateAsync({ params: { id } }).then(done),
    },
  ];
};

export const AnnouncementActions = ({ announcement }: { announcement: Announcement }) => (
  <RowActions of={announcement.title} actions={useAnnouncementActions(announcement)} />
);
