import { clsx } from "clsx";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Answer } from "./answer";
import { Attached } from "./composer";
import type { Turn } from "./conversation";
import type { Chat } from "./use-chat";

/** Columns side by side, as many as the page has room for. */
export const COLUMNS: readonly string[] = [
  "",
  "",
  "rail:grid-cols-2",
  "rail:grid-cols-2 xl:grid-cols-3",
  "rail:grid-cols-2 xl:grid-cols-4",
];

/** A reader who is this close to the end, in pixels, wants to see what comes. */
const NEAR_END = 240;

/** Keeps the end of the page in view while answers arrive, unless the reader has scrolled away from it. */
const useFollowing = ({ conversation, running }: Chat): void => {
  const { turns } = conversation;
  const known = useRef(turns.length);
  useEffect(() => {
    const { scrollHeight } = document.documentElement;
    const isNew = turns.length > known.current;
    known.current = turns.length;
    const isNear = window.innerHeight + window.scrollY >= scrollHeight - NEAR_END;
    if (running.size > 0 && (isNew || isNear)) window.scrollTo(0, scrollHeight);
  }, [turns, running]);
};

/** The messages of a conversation, each with its answers side by side. */
export const Turns = ({ chat }: { chat: Chat }) => {
  const { t } = useTranslation();
  const { turns } = chat.conversation;
  useFollowing(chat);
  return (
    <ol aria-label={t("playground.conversation")} className="flex flex-col gap-4">
      {turns.map((turn, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages are only added
        <li key={index} className="flex flex-col gap-3">
          <article className="flex max-w-full flex-col gap-2 self-end rounded-lg bg-accent-soft px-4 py-3 wide:ms-12">
            <span className="sr-only">{t("playground.you")}</span>
            {turn.text !== "" && <p className="wrap-anywhere whitespace-pre-wrap">{turn.text}</p>}
            <Attached attachments={turn.attachments} />
          </article>
          <Answers chat={chat} turn={turn} index={index} />
        </li>
      ))}
    </ol>
  );
};

const Answers = ({ chat, turn, index }: { chat: Chat; turn: Turn; index: number }) => {
  const { conversation, running } = chat;
  const isLastTurn = index === conversation.turns.length - 1;
  const present = turn.answers.length;
  return (
    <div className={clsx("grid grid-cols-1 items-start gap-3", COLUMNS[present])}>
      {turn.answers.map((steps, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position
        <div key={column} className="flex min-w-0 flex-col gap-3">
          {steps.map((step, at) => {
            const position = { turn: index, column, step: at };
            const isLast = isLastTurn && at === steps.length - 1;
            return (
              <Answer
                // biome-ignore lint/suspicious/noArrayIndexKey: answers are only added
                key={at}
                step={step}
                isLast={isLast}
                isRunning={isLast && running.has(column)}
                rawOf={() => chat.rawOf(position)}
                onRetry={() => chat.retry(position)}
                onResults={(results) => chat.answerCalls(position, results)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
};
