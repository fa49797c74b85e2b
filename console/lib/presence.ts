import { useSyncExternalStore } from "react";

/* Some calls are refused until the user confirms to be at the browser: one window asks for it, and they are repeated. */

let asked: { answer: Promise<boolean>; settle: (isConfirmed: boolean) => void } | undefined;
const listeners = new Set<() => void>();

const changed = (): void => {
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Asks the user to confirm; calls of the same time share one answer. @returns false where no window can ask. */
export const askForPresence = (): Promise<boolean> => {
  if (listeners.size === 0) return Promise.resolve(false);
  if (!asked) {
    let settle: (isConfirmed: boolean) => void = () => undefined;
    const answer = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    asked = { answer, settle };
    changed();
  }
  return asked.answer;
};

/** Answers the calls that wait. */
export const answerPresence = (isConfirmed: boolean): void => {
  const { settle } = asked ?? {};
  asked = undefined;
  settle?.(isConfirmed);
  changed();
};

/** Whether calls wait for the user. */
export const usePresenceAsked = (): boolean => useSyncExternalStore(subscribe, () => asked !== undefined);
