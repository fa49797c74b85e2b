import { useEffect } from "react";
import { isMenuKey, isPlainKey } from "./shortcut-keys";

/** An older key would surprise a person who has gone on to something else. */
const KEEP_MS = 10_000;

const kept: KeyboardEvent[] = [];

/** Stands where the shortcuts will be, and keeps the keys that are pressed until their code has come. */
export const EarlyKeys = () => {
  useEffect(() => {
    const keep = (event: KeyboardEvent): void => {
      // The browser would search by its own.
      if (isMenuKey(event)) event.preventDefault();
      else if (event.key.length > 1 || !isPlainKey(event)) return;
      kept.push(event);
    };
    document.addEventListener("keydown", keep);
    return () => document.removeEventListener("keydown", keep);
  }, []);
  return <span className="size-control" />;
};

/** Dispatches the keys again, with the times at which they were pressed. */
export const replayEarlyKeys = (): void => {
  for (const event of kept.splice(0))
    if (performance.now() - event.timeStamp < KEEP_MS) document.dispatchEvent(event);
};
