import type { Sessions } from "@tollgate/accounts/sessions";
import type { AccountChanges, VerificationChanges } from "@tollgate/storage/accounts/ports";

const EVERY_MS = 3_600_000;

/** One round: sessions and codes that nobody can use any more go. @param now unix seconds. */
export const forgetExpired = async (
  sessions: Pick<Sessions, "removeExpired">,
  verifications: Pick<VerificationChanges, "removeExpired">,
  now: number,
): Promise<void> => {
  await sessions.removeExpired(now);
  await verifications.removeExpired(now);
};

/** Forgets them now and every hour. @param now unix seconds. @returns what ends it. */
export const startForgettingExpired = (
  sessions: Sessions,
  { verifications }: Pick<AccountChanges, "verifications">,
  now: () => number,
  reportError: (error: Error) => void,
): (() => Promise<void>) => {
  let running = Promise.resolve();
  const round = (): void => {
    running = running.then(() => forgetExpired(sessions, verifications, now())).catch(reportError);
  };
  round();
  const timer = setInterval(round, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
};
