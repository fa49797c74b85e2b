import { useEffect } from "react";
import { isMenuKey, isPlainKey } from "./shortcut-keys";

/** An older key press would surprise a user who has moved on. */
const KEEP_MS = 10_000;

const kept: KeyboardEvent[] = [];

/** Stands in for the shortcuts, and queues the pressed keys until their code has loaded. */
export const EarlyKeys = () => {
  useEffect(() => {
    const keep = (event: KeyboardEvent): void => {
      // Prevents the browser's own search.
      if (isMenuKey(event)) event.preventDefault();
      else if (event.key.length > 1 || !isPlainKey(event)) return;
      kept.push(event);
    };
    document.addEventListener("keydown", keep);
    return () => document.removeEventListener("keydown", keep);
  }, []);
  return <span className="size-control" />;
};

/** Dispatches the queued keys again, with their original times. */
export const replayEarlyKeys = (): void => {
  for (const event of kept.splice(0))
    if (performance.now() - event.timeStamp < KEEP_MS) document.dispatchEvent(event);
};
