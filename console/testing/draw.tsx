/**
 * Renders tests with the production build of React. It has no `act`, which only the development build has, so a test
 * waits like a user for visible results (`findBy…`, `waitFor`). `npm run dev` shows the development build's warnings.
 */
import { configure, getConfig } from "@testing-library/dom";
import type { ReactElement } from "react";
import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";

export { configure, fireEvent, screen, waitFor, within } from "@testing-library/dom";

/** Roots on the page, with their elements. */
const roots = new Map<HTMLElement, Root>();

/** A turn of the real event loop, in which React runs deferred work, even if the test uses fake timers. */
const nextTurn = (
  (later) => () =>
    new Promise<void>((resolve) => later(resolve, 0))
)(setTimeout);

const { asyncWrapper } = getConfig();
configure({
  // Timeout of waits; a run with deliberate faults sets a shorter one.
  asyncUtilTimeout: Number(import.meta.env.TEST_PATIENCE_MS ?? 30_000),
  // React's deferred work finishes before a test continues.
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

/** Makes a change of state from outside, and renders its effects. */
export const act = async (change: () => unknown): Promise<void> => {
  await flushSync(change);
  await nextTurn();
};

/** Renders into the document's body until `cleanup`. */
export const render = (element: ReactElement) => {
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  roots.set(container, root);
  const rerender = (next: ReactElement) => flushSync(() => root.render(next));
  rerender(element);
  return { container, rerender };
};

/** Component that calls the hook. */
const Caller = ({ hook }: { hook: () => void }) => {
  hook();
  return null;
};

/**
 * Calls a hook in a component; `current()` returns its last result.
 * @param around a component around it, such as a provider.
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

/** Removes everything rendered from the page. */
export const cleanup = (): void => {
  for (const [container, root] of roots) {
    flushSync(() => root.unmount());
    container.remove();
  }
  roots.clear();
};
