import { MessagesSquare } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { Dialog } from "../../components/dialog";
import { EmptyState } from "../../components/empty-state";
import { TextField } from "../../components/text-field";
import { downloadText } from "../../lib/download-text";
import { formatDate } from "../../lib/format";
import { subscribeStored } from "../../lib/local-store";
import type { Conversation } from "./conversation";
import { deleteConversation, readConversations, renameConversation, storedText } from "./conversation-store";
import { fileNameOf, titleOf, toJson, toMarkdown } from "./export-conversation";

interface ConversationWindowProps {
  userId: number;
  onOpen: (conversation: Conversation) => void;
  /** Called after a change of a conversation that may be the open one. */
  onRenamed: (id: string, title: string) => void;
  onDeleted: (id: string) => void;
  onClose: () => void;
}

/** The stored conversations of the user. */
const ConversationWindow = ({ userId, onOpen, onRenamed, onDeleted, onClose }: ConversationWindowProps) => {
  const { t } = useTranslation();
  useSyncExternalStore(subscribeStored, () => storedText(userId));
  const conversations = readConversations(userId);
  return (
    <Dialog isOpen isWide title={t("playground.conversations")} onClose={onClose}>
      <p className="mb-4 text-ink-2 text-sm">{t("playground.kept")}</p>
      {conversations.length === 0 ? (
        <EmptyState
          icon={<MessagesSquare />}
          title={t("playground.noConversations")}
          text={t("playground.noConversationsText")}
        />
      ) : (
        <ul className="divide-y divide-line">
          {conversations.map((conversation) => (
            <Row
              key={conversation.id}
              conversation={conversation}
              onOpen={() => {
                onOpen(conversation);
                onClose();
              }}
              onRename={(title) => {
                renameConversation(userId, conversation.id, title);
                onRenamed(conversation.id, title);
              }}
              onDelete={async () => {
                deleteConversation(userId, conversation.id);
                onDeleted(conversation.id);
              }}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
};

interface RowProps {
  conversation: Conversation;
  onOpen: () => void;
  onRename: (title: string) => void;
  onDelete: () => Promise<void>;
}

const Row = ({ conversation, onOpen, onRename, onDelete }: RowProps) => {
  const { t } = useTranslation();
  const [name, setName] = useState<string>();
  const title = titleOf(conversation) || t("playground.untitled");
  const save = (ending: string, text: string) => downloadText(text, fileNameOf(conversation, ending));
  return (
    <li className="flex flex-col gap-2 py-3">
      {name === undefined ? (
        <div className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-3">
          <button
            type="button"
            onClick={onOpen}
            className="touch min-w-0 max-w-full truncate text-start font-medium underline-offset-2 hover:text-accent hover:underline"
          >
            {title}
          </button>
          <time className="text-ink-2 text-sm tabular-nums">
            {formatDate(new Date(conversation.changedAt))}
          </time>
        </div>
      ) : (
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            onRename(name.trim());
            setName(undefined);
          }}
        >
          <div className="min-w-0 flex-1">
            <TextField
              label={t("playground.name")}
              value={name}
              maxLength={100}
              autoComplete="off"
              onChange={({ target }) => setName(target.value)}
            />
          </div>
          <Button type="submit">{t("playground.save")}</Button>
        </form>
      )}
      <div className="flex flex-wrap gap-1">
        <Button
          variant="quiet"
          size="small"
          aria-label={`${t("playground.rename")}: ${title}`}
          onClick={() => setName(name === undefined ? title : undefined)}
        >
          {t("playground.rename")}
        </Button>
        <Button
          variant="quiet"
          size="small"
          aria-label={`${t("playground.markdown")}: ${title}`}
          onClick={() => save("md", toMarkdown(conversation))}
        >
          {t("playground.markdown")}
        </Button>
        <Button
          variant="quiet"
          size="small"
          aria-label={`${t("playground.json")}: ${title}`}
          onClick={() => save("json", toJson(conversation))}
        >
          {t("playground.json")}
        </Button>
        <ConfirmButton
          variant="quietDanger"
          size="small"
          aria-label={`${t("playground.delete")}: ${title}`}
          question={t("playground.deleteAsk", { title })}
          consequence={t("playground.deleteText")}
          confirm={t("playground.delete")}
          onConfirm={onDelete}
        >
          {t("playground.delete")}
        </ConfirmButton>
      </div>
    </li>
  );
};

export default ConversationWindow;
