import { clsx } from "clsx";
import { ChevronDown, Info, Pin, TriangleAlert } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "./badge";
import { RichText } from "./rich-text";

interface AnnouncementRow {
  id: number;
  title: string;
  /** Markdown. */
  body: string;
  level: "info" | "warning";
  isPinned: boolean;
  isRead: boolean;
  hasEnded: boolean;
  /** The formatted start date. */
  date: string;
}

interface AnnouncementRowsProps {
  rows: readonly AnnouncementRow[];
  onRead: (id: number) => void;
}

/** Announcements as rows that open to their text. Its texts are in the area "announcements". */
export const AnnouncementRows = ({ rows, onRead }: AnnouncementRowsProps) => (
  <ul className="divide-y divide-line">
    {rows.map((row) => (
      <Row key={row.id} row={row} onRead={() => onRead(row.id)} />
    ))}
  </ul>
);

const Row = ({ row, onRead }: { row: AnnouncementRow; onRead: () => void }) => {
  const { t } = useTranslation();
  const textId = useId();
  // Pinned ones are open until read.
  const [isOpen, setOpen] = useState(row.isPinned && !row.isRead && !row.hasEnded);
  const LevelIcon = row.level === "warning" ? TriangleAlert : Info;
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? textId : undefined}
        onClick={() => {
          setOpen(!isOpen);
          onRead();
        }}
        className="flex min-h-9 w-full items-start gap-2.5 px-4 py-2 text-start hover:bg-hover"
      >
        <LevelIcon
          aria-label={t(`announcement.levels.${row.level}`)}
          role="img"
          className={clsx("mt-0.5 size-4 shrink-0", row.level === "warning" ? "text-yellow" : "text-accent")}
        />
        <span className="min-w-0 flex-1">
          <span className={clsx("break-words", row.isRead ? "text-ink-2" : "font-semibold", "leading-5")}>
            {row.title}
            {!row.isRead && (
              <span
                role="img"
                aria-label={t("announcement.unread")}
                className="ms-1.5 inline-block size-1.5 rounded-full bg-accent align-middle"
              />
            )}
          </span>
          <span className="mt-0.5 flex flex-wrap items-center gap-2 text-xs text-ink-2 tabular-nums">
            {row.date}
            {row.isPinned && (
              <span className="inline-flex items-center gap-1">
                <Pin aria-hidden className="size-3" />
                {t("announcement.pinned")}
              </span>
            )}
            {row.hasEnded && <Badge>{t("announcement.ended")}</Badge>}
          </span>
        </span>
        <ChevronDown
          aria-hidden
          className={clsx("mt-0.5 size-4 shrink-0 text-ink-3", isOpen && "rotate-180")}
        />
      </button>
      {isOpen && (
        <div id={textId} className="ps-[42px] pe-4 pb-3 text-sm">
          {row.body.trim() === "" ? (
            <p className="text-ink-2">{t("announcement.noText")}</p>
          ) : (
            <RichText source={row.body} />
          )}
        </div>
      )}
    </li>
  );
};
