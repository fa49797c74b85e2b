import { useEffect, useState } from "react";

/** Long enough to type a word without a call per letter. */
const PAUSE_MS = 200;

/** The typed text, once typing pauses. */
export const usePaused = (text: string, pauseMs = PAUSE_MS): string => {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return paused;
};
