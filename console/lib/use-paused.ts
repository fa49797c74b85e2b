import { useEffect, useState } from "react";

/** Long enough to type a word without a call per letter. */
const PAUSE_MS = 200;

/** The typed text, once typing pauses. */
export const usePaused = (text: string): string => {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
};
