import { useEffect, useState } from "react";

/** How long a button stays locked after it has sent an e-mail (specification section 9). */
export const RESEND_SECONDS = 30;

/** Seconds that are left of a countdown, 0 when none runs, and its start. */
export const useCountdown = (): [number, () => void] => {
  const [left, setLeft] = useState(0);
  const isRunning = left > 0;

  // The outside system is the clock.
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);

  return [left, () => setLeft(RESEND_SECONDS)];
};
