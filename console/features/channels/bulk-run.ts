import type { Channel } from "@tollgate/contract/api/channels";
import { CHANNEL_DISABLED_AUTOMATICALLY, CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";

export interface BulkProgress {
  /** Channels that the run has been at. */
  done: number;
  /** Channels that it will be at. */
  total: number;
}

export interface BulkOutcome extends BulkProgress {
  /** Channels that the server has switched off meanwhile. */
  disabled: number;
}

interface BulkRun {
  /** The call that begins it. */
  start: () => Promise<unknown>;
  /** Whether the run goes through an enabled channel. */
  concerns: (channel: Channel) => boolean;
  /** What of a channel changes when the run has been at it. */
  mark: (channel: Channel) => string;
  /** So many looks without news after the answer, and the run counts as over. */
  quietLooks: number;
  readAll: () => Promise<Channel[]>;
  /** Resolves when it is time for the next look, which will read so many channels. */
  wait: (channelCount: number) => Promise<void>;
  onProgress: (progress: BulkProgress, channels: Channel[]) => void;
}

/**
 * Begins a run over all enabled channels and follows it until its end. What the server answers is not specified, nor
 * when (specification section 7), so progress is what the list itself shows: marks that have changed.
 * @returns the last that was seen of it.
 * @throws whatever the call that begins it throws.
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
    // A look that fails is no news: the run itself goes on.
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
    // Who is gone is not waited for.
    if (!channel || mark(channel) !== mark(old)) done += 1;
    if (channel?.status === CHANNEL_DISABLED_AUTOMATICALLY) disabled += 1;
  }
  return { done, total: before.length, disabled };
};
