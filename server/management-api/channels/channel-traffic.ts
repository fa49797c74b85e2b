import { type ChannelTraffic, TRAFFIC_HOURS } from "@tollgate/contract/api/channel-measurements";
import type { ChannelHour } from "@tollgate/storage/log/ports";

const HOUR_SECONDS = 3600;

/** The begin of the first hour of reported traffic. */
export const trafficStart = (now: number): number =>
  now - (now % HOUR_SECONDS) - (TRAFFIC_HOURS - 1) * HOUR_SECONDS;

/** Adds the hours of channels up. @param hours by channel and time */
export const sumTraffic = (hours: readonly ChannelHour[], start: number): ChannelTraffic[] => {
  const byChannel = new Map<number, ChannelTraffic>();
  for (const { channelId, hour, requests, errors, quota } of hours) {
    const known = byChannel.get(channelId);
    const traffic = known ?? {
      id: channelId,
      requests: 0,
      errors: 0,
      quota: 0,
      course: Array.from({ length: TRAFFIC_HOURS }, () => 0),
    };
    if (!known) byChannel.set(channelId, traffic);
    traffic.requests += requests;
    traffic.errors += errors;
    traffic.quota += quota;
    const index = (hour - start) / HOUR_SECONDS;
    // Lines may be dated in the future, where the clock was set back.
    if (index < TRAFFIC_HOURS) traffic.course[index] = requests + errors;
  }
  return [...byChannel.values()].filter(({ requests, errors }) => requests + errors > 0);
};
