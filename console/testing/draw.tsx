/**
 * What tests draw with: the build of React that is shipped. It has no `act`, which is for the development build alone, so
 * that a test waits as a person does: for what it wants to see (`findBy…`, `waitFor`). What the development build warns of, `npm run dev` shows.
 */
import { configure, getConfig } from "@testing-library/dom";
import type { ReactElement } from "react";
import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";

export { configure, fireEvent, screen, waitFor, within } from "@testing-library/dom";

/** Roots on the page, with the element that each stands in. */
const roots = new Map<HTMLElement, Root>();

/** A turn of the real event loop, in which React does what it has put off, also where a test turns the clock itself. */
const nextTurn = (
  (later) => () =>
    new Promise<void>((resolve) => later(resolve, 0))
)(setTimeout);

const { asyncWrapper } = getConfig();
configure({
  // How long is waited for what does not come; a run that puts faults in on purpose says less.
  asyncUtilTimeout: Number(import.meta.env.TEST_PATIENCE_MS ?? 30_000),
  // What React has put off to its next task is done before a test looks.
  asyncWrapper: async (run) => {
    const result = await asyncWrapper(run);
    await nextTurn();
    return result;
  },
  eventWrapper: (run) => {
    let result: unknown;
    flushSync(() => {
      result = run();
    });
    return result;
  },
});

/** Does something that changes a state from outside, and draws what follows of it. */
export const act = async (change: () => unknown): Promise<void> => {
  await flushSync(change);
  await nextTurn();
};

/** Draws into the document's body until `cleanup`. */
export const render = (element: ReactElement) => {
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  roots.set(container, root);
  const rerender = (next: ReactElement) => flushSync(() => root.render(next));
  rerender(element);
  return { container, rerender };
};

/** What a hook is called in. */
const Caller = ({ hook }: { hook: () => void }) => {
  hook();
  return null;
};

/**
 * Calls a hook as a component does; `current()` is what it gave the last time.
 * @param around what stands around that component, such as a provider.
 */
export const renderHook = <Given, Result>(
  hook: (given: Given) => Result,
  initial: Given,
  around: (caller: ReactElement) => ReactElement,
) => {
  const results: Result[] = [];
  const call = (given: Given) => (
    <Caller
      hook={() => {
        results[0] = hook(given);
      }}
    />
  );
  const { rerender } = render(around(call(initial)));
  return {
    current: (): Result => {
      const [result] = results;
      if (result === undefined) throw new Error("the hook was not called");
      return result;
    },
    rerender: (given: Given) => rerender(around(call(given))),
  };
};

/** Takes everything drawn off the page. */
export const cleanup = (): void => {
  for (const [container, root] of roots) {
    flushSync(() => root.unmount());
    container.remove();
  }
  roots.clear();
};
