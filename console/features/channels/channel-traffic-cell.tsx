import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { TRAFFIC_HOURS } from "@tollgate/contract/api/channel-measurements";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { GROUP_COLORS } from "../../components/chart/chart-colors";
import { Sparkline } from "../../components/chart/sparkline";
import { SuccessShare } from "../../components/success-share";
import { formatCount, formatTime } from "../../lib/format";
import { allRequests, measureOf } from "../../lib/usage/usage-metric";
import { channelTrafficQuery } from "./channel-queries";

const HOUR_MS = 3_600_000;

/** The time span of the traffic, in the log's time format. */
const trafficSpan = (nowMs: number) => ({
  from: formatTime(toUnixSeconds(nowMs - (nowMs % HOUR_MS) - (TRAFFIC_HOURS - 1) * HOUR_MS)),
  to: formatTime(toUnixSeconds(nowMs)),
});

interface ChannelTrafficCellProps {
  id: number;
  /** The channels on the page, whose traffic is read in one call. */
  ids: readonly number[];
}

/** A channel's traffic: its course, requests, success and cost; a dash without traffic, or if it is not reported. */
export const ChannelTrafficCell = ({ id, ids }: ChannelTrafficCellProps) => {
  const { data } = useQuery({ ...channelTrafficQuery(ids), placeholderData: keepPreviousData });
  const traffic = data?.find((each) => each.id === id);
  if (!traffic) return <span className="text-ink-3">–</span>;
  const lines = { ...trafficSpan(Date.now()), channel: String(id) };
  const quotas = data?.map(({ quota }) => quota);
  return (
    <span className="inline-grid grid-cols-[2.5rem_auto] items-center justify-items-end gap-x-2 text-xs leading-3.5">
      <Sparkline values={traffic.course} color={GROUP_COLORS[0]} isOpen className="row-span-2 h-5 w-10" />
      <span>
        <Link to="/log" search={lines} className="underline-offset-2 hover:text-accent hover:underline">
          {formatCount(allRequests(traffic))}
        </Link>{" "}
        · <SuccessShare total={traffic} lines={lines} />
      </span>
      <span className="text-ink-2">{measureOf("quota").format(traffic.quota, quotas)}</span>
    </span>
  );
};
