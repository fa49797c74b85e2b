import { clsx } from "clsx";
import { MessagesSquare, Plus, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { LazyBoundary } from "../../components/lazy-boundary";
import { ChatParameters } from "./chat-parameters";
import { chatBody, settingMistakes } from "./chat-request";
import { CodeButton } from "./code-button";
import { Composer } from "./composer";
import { type Conversation, MAX_COLUMNS } from "./conversation";
import { ModelField } from "./model-field";
import { COLUMNS, Turns } from "./turns";
import type { Chat } from "./use-chat";

// Loaded with the first look.
const loadConversations = () => import("./conversation-window");

interface ChatTabProps {
  chat: Chat;
  userId: number;
  /** Names of the models, those for chats first. */
  models: readonly string[];
}

/** Chats with up to four models side by side. */
export const ChatTab = ({ chat, userId, models }: ChatTabProps) => {
  const { t } = useTranslation();
  const { conversation, running, change } = chat;
  const isRunning = running.size > 0;
  const isReady =
    conversation.models.every((model) => model.trim() !== "") &&
    settingMistakes(conversation.settings).length === 0;
  const setModels = (next: readonly string[]) => change((now) => ({ ...now, models: [...next] }));
  return (
    // The focus scrolls above the message field, which stays at the end of the screen.
    <div className="flex flex-col gap-4 [&_:is(a,button,input,textarea,summary,[tabindex])]:scroll-mb-48">
      <div className="flex flex-wrap items-center gap-2">
        <Conversations chat={chat} userId={userId} />
        <Button disabled={conversation.turns.length === 0} onClick={chat.begin}>
          <Plus aria-hidden className="size-4" />
          {t("playground.begin")}
        </Button>
        <CodeButton requestOf={() => ({ call: "chat", body: chatBody(conversation, 0) })} />
        {conversation.models.length < MAX_COLUMNS && (
          <Button
            disabled={isRunning}
            onClick={() =>
              setModels([
                ...conversation.models,
                models.find((model) => !conversation.models.includes(model)) ?? models[0] ?? "",
              ])
            }
          >
            {t("playground.addModel")}
          </Button>
        )}
      </div>
      <div className={clsx("grid grid-cols-1 gap-3", COLUMNS[conversation.models.length])}>
        {conversation.models.map((model, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position
          <div key={column} className="flex min-w-0 items-end gap-1">
            <ModelField
              label={
                conversation.models.length === 1
                  ? t("playground.model")
                  : t("playground.modelOf", { number: column + 1 })
              }
              value={model}
              models={models}
              onChange={(next) => setModels(conversation.models.with(column, next))}
            />
            {conversation.models.length > 1 && column === conversation.models.length - 1 && (
              <Button
                variant="quiet"
                size="icon"
                disabled={isRunning}
                aria-label={t("playground.removeModel", { number: column + 1 })}
                onClick={() => setModels(conversation.models.slice(0, -1))}
              >
                <X aria-hidden className="size-4" />
              </Button>
            )}
          </div>
        ))}
      </div>
      <ChatParameters
        key={conversation.id}
        settings={conversation.settings}
        onChange={(edit) => change((now) => ({ ...now, settings: { ...now.settings, ...edit } }))}
      />
      {conversation.turns.length === 0 ? (
        <EmptyState
          icon={<MessagesSquare />}
          title={t("playground.empty")}
          text={t("playground.emptyText")}
        />
      ) : (
        <Turns key={conversation.id} chat={chat} />
      )}
      <Composer isRunning={isRunning} isReady={isReady} onSend={chat.send} onStop={chat.stop} />
    </div>
  );
};

const Conversations = ({ chat, userId }: { chat: Chat; userId: number }) => {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const ifOpen = (id: string, edit: (now: Conversation) => Conversation) =>
    chat.change((now) => (now.id === id ? edit(now) : now));
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <MessagesSquare aria-hidden className="size-4" />
        {t("playground.conversations")}
      </Button>
      {isOpen && (
        <LazyBoundary
          load={loadConversations}
          with={{
            userId,
            onOpen: chat.open,
            onRenamed: (id: string, title: string) => ifOpen(id, (now) => ({ ...now, title })),
            onDeleted: chat.forget,
            onClose: close,
          }}
          onMissing={close}
        />
      )}
    </>
  );
};
