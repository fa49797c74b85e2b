import type { UsageGrouping, UsagePointWire } from "@tollgate/contract/control/usage";
import type { RequestRecord } from "./request-records";
import type { World } from "./world";

const STEP_SECONDS = { hour: 3600, day: 86_400 };

const groupOf = (record: RequestRecord, by: UsageGrouping, world: World): { key: string; name: string } => {
  switch (by) {
    case "model":
      return { key: record.model_name, name: record.model_name };
    case "token":
      return { key: String(record.token_id), name: record.token_name };
    case "channel":
      return {
        key: String(record.channel),
        name: world.channels.find(({ id }) => id === record.channel)?.name ?? "",
      };
    case "user":
      return { key: String(record.user_id), name: record.username };
    case "none":
      return { key: "", name: "" };
  }
};

/** Adds requests up as GET /api/usage answers them. */
export const sumUsage = (
  records: readonly RequestRecord[],
  world: World,
  by: UsageGrouping,
  step: "hour" | "day",
  offsetMinutes: number,
): UsagePointWire[] => {
  const points = new Map<string, UsagePointWire>();
  const size = STEP_SECONDS[step];
  const offset = offsetMinutes * 60;
  for (const record of records) {
    const time = Math.floor((record.created_at + offset) / size) * size - offset;
    const group = groupOf(record, by, world);
    const at = `${time}\n${group.key}`;
    const point: UsagePointWire = points.get(at) ?? {
      time,
      ...group,
      requests: 0,
      errors: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      quota: 0,
      duration_ms: 0,
      first_byte_ms: 0,
      streams: 0,
    };
    if (record.end === "failed") {
      point.errors += 1;
    } else {
      point.requests += 1;
      point.prompt_tokens += record.prompt_tokens;
      point.completion_tokens += record.completion_tokens;
      point.quota += record.quota;
      point.duration_ms += record.duration_ms;
      point.first_byte_ms += record.first_byte_ms ?? 0;
      point.streams += record.is_stream ? 1 : 0;
    }
    points.set(at, point);
  }
  return [...points.values()].toSorted((a, b) => a.time - b.time);
};
