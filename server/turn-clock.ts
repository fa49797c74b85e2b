/**
 * A clock that is read once per turn of the event loop: a request needs the time a dozen times, differences within a
 * turn do not matter, and each reading costs as much as a small step of the request. The time may be as old as the
 * turn's beginning. It is never kept between turns: clearing it is itself due in the next one, so that the loop does
 * not sleep with an old time.
 * @param read milliseconds since the epoch.
 * @param atTurnsEnd calls back once the work due in this turn is done.
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
