import type { TicketEntryRow } from "@tollgate/contract/api/tickets";
import { clsx } from "clsx";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { formatTime } from "../../lib/format";

interface ConversationProps {
  entries: readonly TicketEntryRow[];
  /** As the ticket's own user sees it. */
  isOwn: boolean;
}

/** The messages of a ticket, the oldest first. */
export const Conversation = ({ entries, isOwn }: ConversationProps) => {
  const { t } = useTranslation();
  return (
    <ol aria-label={t("ticket.conversation")} className="flex flex-col gap-3">
      {entries.map((entry) => (
        <li key={entry.id}>
          {entry.kind === "closed" ? (
            <Closing entry={entry} isOwn={isOwn} />
          ) : (
            <Message entry={entry} isOwn={isOwn} />
          )}
        </li>
      ))}
    </ol>
  );
};

interface EntryProps {
  entry: TicketEntryRow;
  isOwn: boolean;
}

const Closing = ({ entry: { side, author_name: name, created_time: time }, isOwn }: EntryProps) => {
  const { t } = useTranslation();
  const bySide = side === "customer" ? "customer" : side === "gateway" ? "gateway" : "support";
  return (
    <p className="text-center text-ink-2 text-sm">
      {isOwn ? t(`ticket.closedOwn.${bySide}`) : t(`ticket.closedBy.${bySide}`, { name })}
      <time className="ms-2 text-ink-3">{formatTime(time)}</time>
    </p>
  );
};

const Message = ({ entry, isOwn }: EntryProps) => {
  const { t } = useTranslation();
  const { kind, side, author_name: name, text, created_time: time } = entry;
  const isNote = kind === "note";
  const ownName = side === "customer" ? t("ticket.you") : t("ticket.support");
  return (
    <article
      className={clsx(
        "rounded-lg border border-line px-4 py-3",
        isNote ? "bg-yellow-soft" : side === "support" ? "bg-accent-soft" : "bg-surface",
        // The reader's own side stands at the end of the line.
        (side === "customer") === isOwn ? "wide:ms-12" : "wide:me-12",
      )}
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 text-sm">
        <span className="flex flex-wrap items-center gap-2 font-medium">
          <span className="wrap-anywhere">{isOwn ? ownName : name}</span>
          {isNote && <Badge tone="yellow">{t("ticket.note")}</Badge>}
        </span>
        <time className="text-ink-2 tabular-nums">{formatTime(time)}</time>
      </header>
      {/* Plain text: a text of one person must not act in the page of another. */}
      <p className="wrap-anywhere mt-1.5 whitespace-pre-wrap">{text}</p>
    </article>
  );
};
