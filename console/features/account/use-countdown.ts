import { useEffect, useState } from "react";

/** Seconds that a button stays locked after sending an e-mail (specification section 9). */
export const RESEND_SECONDS = 30;

/** Remaining seconds of a countdown, 0 if none is running, and a function to start it. */
export const useCountdown = (): [number, () => void] => {
  const [left, setLeft] = useState(0);
  const isRunning = left > 0;

  // An effect, because the clock is outside React.
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);

  return [left, () => setLeft(RESEND_SECONDS)];
};
