import { useQueryClient } from "@tanstack/react-query";
import { getSelf } from "@tollgate/contract/api/own-account";
import { useEffect, useRef, useState } from "react";
import { chatBody } from "./chat-request";
import { readChat, StreamError } from "./chat-stream";
import {
  type Attachment,
  type Conversation,
  emptyStep,
  newConversation,
  type Step,
  withStep,
} from "./conversation";
import { saveConversation } from "./conversation-store";
import { callPlayground, failureOf, requestIdOf } from "./playground-call";

/** Time between two drawings of a stream. */
const DRAW_MS = 80;

/** The position of an answer. */
export interface StepPosition {
  turn: number;
  column: number;
  step: number;
}

/** A request and its answer as they were on the wire. */
export interface Raw {
  request: Record<string, unknown>;
  answer: string;
}

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
    const answer: Step = emptyStep(asked.models[column] ?? "");
    const body = { ...chatBody(asked, column), stream: true, stream_options: { include_usage: true } };
    const controller = new AbortController();
    controllers.set(column, controller);
    setRunning(new Set(controllers.keys()));
    const draw = (): void => {
      // Another conversation may be open by now.
      if (latest.current.id !== asked.id) return;
      const calls = answer.toolCalls.map((call) => ({ ...call }));
      change((now) => withStep(now, at, { ...answer, toolCalls: calls }));
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const drawSoon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        draw();
      }, DRAW_MS);
    };
    draw();
    let raw = "";
    try {
      const { signal } = controller;
      const response = await callPlayground({
        path: "/v1/chat/completions",
        group: asked.group,
        body,
        signal,
      });
      answer.requestId = requestIdOf(response);
      raw = await readChat(response, answer, drawSoon);
    } catch (error) {
      if (controller.signal.aborted) answer.isStopped = true;
      else {
        answer.failure = failureOf(error, answer.requestId);
        if (error instanceof StreamError) answer.failure.message = error.message;
        answer.requestId = answer.failure.requestId;
      }
    }
    clearTimeout(timer);
    raws.set(nameOf(asked.id, at), { request: body, answer: raw });
    draw();
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
