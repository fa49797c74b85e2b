import { useQueryClient } from "@tanstack/react-query";
import { getSelf } from "@tollgate/contract/api/own-account";
import { useEffect, useRef, useState } from "react";
import { type Attachment, type Conversation, newConversation, type Step, withStep } from "./conversation";
import { saveConversation } from "./conversation-store";
import { type Raw, runAnswer, type StepPosition } from "./run-answer";

const nameOf = (id: string, { turn, column, step }: StepPosition): string =>
  `${id} ${turn} ${column} ${step}`;

/** A conversation with models: its state, and the requests under way. */
export const useChat = (userId: number, first: () => Conversation) => {
  const queryClient = useQueryClient();
  const [conversation, setConversation] = useState(first);
  const [running, setRunning] = useState<ReadonlySet<number>>(new Set());
  const { current: controllers } = useRef(new Map<number, AbortController>());
  const { current: raws } = useRef(new Map<string, Raw>());
  const latest = useRef(conversation);

  const change = (edit: (now: Conversation) => Conversation): Conversation => {
    latest.current = edit(latest.current);
    setConversation(latest.current);
    return latest.current;
  };

  const stop = (): void => {
    for (const controller of controllers.values()) controller.abort();
  };

  // The begun answers of a page that is left stay as far as they have come.
  useEffect(
    () => () => {
      for (const controller of controllers.values()) controller.abort();
      saveConversation(userId, latest.current);
    },
    [controllers, userId],
  );

  const ask = async (column: number, step: number): Promise<void> => {
    const asked = latest.current;
    const at = { turn: asked.turns.length - 1, column, step };
    const controller = new AbortController();
    controllers.set(column, controller);
    setRunning(new Set(controllers.keys()));
    // Another conversation may be open by now.
    const draw = (drawn: Step): void => {
      if (latest.current.id === asked.id) change((now) => withStep(now, at, drawn));
    };
    const raw = await runAnswer(asked, at, controller.signal, draw);
    raws.set(nameOf(asked.id, at), raw);
    if (controllers.get(column) === controller) controllers.delete(column);
    setRunning(new Set(controllers.keys()));
    if (latest.current.id === asked.id) saveConversation(userId, latest.current);
    void queryClient.invalidateQueries({ queryKey: [getSelf.reads, getSelf.path] });
  };

  const open = (next: Conversation): void => {
    stop();
    saveConversation(userId, latest.current);
    change(() => next);
  };

  return {
    conversation,
    running,
    change,
    stop,
    /** Sends a message to all columns. */
    send(text: string, attachments: readonly Attachment[]): void {
      const { models } = change((now) => ({
        ...now,
        changedAt: Date.now(),
        turns: [...now.turns, { text, attachments: [...attachments], answers: now.models.map(() => []) }],
      }));
      saveConversation(userId, latest.current);
      for (const column of models.keys()) void ask(column, 0);
    },
    /** Asks a column again for its last answer. */
    retry({ turn, column, step }: StepPosition): void {
      change((now) => ({
        ...now,
        turns: now.turns.map((each, index) =>
          index === turn
            ? {
                ...each,
                answers: each.answers.map((steps, at) => (at === column ? steps.slice(0, step) : steps)),
              }
            : each,
        ),
      }));
      void ask(column, step);
    },
    /** Sends the user's results of the calls of an answer. */
    answerCalls(at: StepPosition, results: readonly string[]): void {
      const step = latest.current.turns[at.turn]?.answers[at.column]?.[at.step];
      if (!step) return;
      change((now) => withStep(now, at, { ...step, results: [...results] }));
      void ask(at.column, at.step + 1);
    },
    open,
    begin: (): void => open(newConversation(latest.current)),
    /** Closes a conversation that was deleted, if it is the open one: to save it would bring it back. */
    forget(id: string): void {
      if (latest.current.id !== id) return;
      stop();
      change((now) => newConversation(now));
    },
    /** Undefined for an answer of an earlier visit. */
    rawOf: (at: StepPosition): Raw | undefined => raws.get(nameOf(conversation.id, at)),
  };
};

export type Chat = ReturnType<typeof useChat>;
