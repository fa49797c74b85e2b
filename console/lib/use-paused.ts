import { useEffect, useState } from "react";

/** Long enough that a word is typed without a call for each of its letters. */
const PAUSE_MS = 200;

/** What was typed, once typing pauses. */
export const usePaused = (text: string): string => {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
};
