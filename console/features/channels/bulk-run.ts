import type { Channel } from "@tollgate/contract/api/channels";
import { CHANNEL_DISABLED_AUTOMATICALLY, CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";

export interface BulkProgress {
  /** Channels that the run has finished. */
  done: number;
  /** Channels that the run includes. */
  total: number;
}

export interface BulkOutcome extends BulkProgress {
  /** Channels that the server has disabled meanwhile. */
  disabled: number;
}

interface BulkRun {
  /** The call that starts the run. */
  start: () => Promise<unknown>;
  /** Whether the run includes an enabled channel. */
  concerns: (channel: Channel) => boolean;
  /** The value of a channel that changes when the run has handled it. */
  mark: (channel: Channel) => string;
  /** Number of polls without news, after the answer, until the run counts as over. */
  quietLooks: number;
  readAll: () => Promise<Channel[]>;
  /** Resolves at the time of the next poll, which reads this number of channels. */
  wait: (channelCount: number) => Promise<void>;
  onProgress: (progress: BulkProgress, channels: Channel[]) => void;
}

/**
 * Starts a run over all enabled channels and follows it until its end. Neither content nor time of the server's answer
 * is specified (specification section 7), so progress is derived from the list: changed marks.
 * @returns the last state seen.
 * @throws the errors of the call that starts the run.
 */
export const followBulkRun = async (run: BulkRun): Promise<BulkOutcome> => {
  const before = (await run.readAll()).filter(
    (channel) => channel.status === CHANNEL_ENABLED && run.concerns(channel),
  );
  let outcome: BulkOutcome = { done: 0, total: before.length, disabled: 0 };
  run.onProgress(outcome, before);
  let isAnswered = false;
  const answer = run.start().then(() => {
    isAnswered = true;
  });
  for (let quiet = 0; quiet < run.quietLooks; ) {
    await (isAnswered ? run.wait(before.length) : Promise.race([answer, run.wait(before.length)]));
    // A failed poll counts as no news: the run itself continues.
    const channels = await run.readAll().catch(() => undefined);
    const seen = channels ? compare(before, channels, run.mark) : outcome;
    if (channels) run.onProgress(seen, channels);
    quiet = isAnswered && seen.done === outcome.done ? quiet + 1 : 0;
    outcome = seen;
    if (isAnswered && outcome.done === outcome.total) break;
  }
  return outcome;
};

const compare = (
  before: readonly Channel[],
  now: readonly Channel[],
  mark: (channel: Channel) => string,
): BulkOutcome => {
  const byId = new Map(now.map((channel) => [channel.id, channel]));
  let done = 0;
  let disabled = 0;
  for (const old of before) {
    const channel = byId.get(old.id);
    // A deleted channel counts as done.
    if (!channel || mark(channel) !== mark(old)) done += 1;
    if (channel?.status === CHANNEL_DISABLED_AUTOMATICALLY) disabled += 1;
  }
  return { done, total: before.length, disabled };
};
