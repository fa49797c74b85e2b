import type { Channel } from "@tollgate/contract/api/channels";
import type {
  ChannelChange,
  WindowedChannel,
  WindowState,
  WindowStates,
} from "@tollgate/contract/records/channel-record";
import type { ChannelQueries } from "@tollgate/storage/accounts/site-ports";
import type { Job } from "./start-job";

/** Precision of windows: usage may exceed a window's limit for this time, and a window may begin this late. */
const EVERY_MS = 5000;

const HOUR_SECONDS = 3600;

/** A window without requests so far, counting from the channel's current total. */
const unbegun = (from: number): WindowState => ({ startedAt: 0, from });

const stateAfter = (state: WindowState, counted: number, seconds: number, now: number): WindowState => {
  // One that begins in the future was begun by a clock that has been set back since: it would keep the channel closed until then.
  const isOver = state.startedAt > now || (state.startedAt > 0 && now >= state.startedAt + seconds);
  if (isOver) return unbegun(counted);
  return state.startedAt === 0 && counted > state.from ? { ...state, startedAt: now } : state;
};

/**
 * Returns the current state of a channel's windows. A window begins with the first request after the last one ended, as
 * those of coding plans do; a used-up one keeps the channel closed until it ends.
 * @param now unix seconds.
 */
export const windowsAfter = (channel: WindowedChannel, now: number): WindowStates => {
  const states: WindowState[] = [];
  let closedUntil = 0;
  for (const [index, { hours, limit, unit }] of (channel.calendar.windows ?? []).entries()) {
    const counted = unit === "requests" ? channel.usedRequests : channel.chargedQuota;
    const seconds = hours * HOUR_SECONDS;
    const state = stateAfter(channel.states[index] ?? unbegun(counted), counted, seconds, now);
    states.push(state);
    const isUsedUp = state.startedAt > 0 && counted - state.from >= limit;
    if (isUsedUp) closedUntil = Math.max(closedUntil, state.startedAt + seconds);
  }
  return { states, closedUntil };
};

const areSame = (before: WindowStates, after: WindowStates): boolean =>
  before.closedUntil === after.closedUntil && JSON.stringify(before.states) === JSON.stringify(after.states);

/** Looks at the windows of channels' calendars, and keeps where they stand. */
export const watchingWindows = (
  read: Pick<ChannelQueries, "windowed">,
  channels: { change(id: number, change: ChannelChange): Promise<Channel | undefined> },
  now: () => number,
): Job => ({
  name: "watching-windows",
  everyMs: EVERY_MS,
  async run(isStopped) {
    for (const channel of await read.windowed()) {
      if (isStopped()) return;
      const { states, closedUntil } = windowsAfter(channel, now());
      if (!areSame(channel, { states, closedUntil }))
        await channels.change(channel.id, { windows: { states, closedUntil } });
    }
  },
});
