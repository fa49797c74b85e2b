/**
 * A clock that is read once in each turn of the event loop: a request asks a dozen times what time it is, of which a turn
 * at work makes no difference that any person could see, and each reading costs as much as a small step of the request's own.
 * What is told may be as old as the turn's beginning. Between turns it is never kept: the forgetting is itself due in the
 * next one, so that the loop does not sleep with a time in hand.
 * @param read milliseconds since the epoch.
 * @param atTurnsEnd calls back once what is due in this turn is done.
 */
export const createTurnClock = (
  read: () => number = Date.now,
  atTurnsEnd: (forget: () => void) => void = setImmediate,
): (() => number) => {
  let nowMs = 0;
  let isKnown = false;
  const forget = (): void => {
    isKnown = false;
  };
  return () => {
    if (!isKnown) {
      nowMs = read();
      isKnown = true;
      atTurnsEnd(forget);
    }
    return nowMs;
  };
};
