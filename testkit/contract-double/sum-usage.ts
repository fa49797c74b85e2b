import type { UsageGrouping, UsagePointWire } from "@tollgate/contract/api/usage";
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

const MEASURES: readonly ((point: UsagePointWire) => number)[] = [
  (point) => point.requests + point.errors,
  (point) => point.prompt_tokens + point.completion_tokens,
  (point) => point.quota,
  (point) => point.errors,
];

const add = (a: UsagePointWire, b: UsagePointWire): UsagePointWire => ({
  ...a,
  requests: a.requests + b.requests,
  errors: a.errors + b.errors,
  prompt_tokens: a.prompt_tokens + b.prompt_tokens,
  completion_tokens: a.completion_tokens + b.completion_tokens,
  quota: a.quota + b.quota,
  duration_ms: a.duration_ms + b.duration_ms,
  first_byte_ms: a.first_byte_ms + b.first_byte_ms,
  streams: a.streams + b.streams,
});

/** Keeps only the largest groups and sums the others, as `top` requires. */
export const foldUsage = (points: readonly UsagePointWire[], top: number): UsagePointWire[] => {
  const totals = new Map<string, UsagePointWire>();
  for (const point of points) {
    const total = totals.get(point.key);
    totals.set(point.key, total ? add(total, point) : point);
  }
  const kept = new Set<string>();
  for (const measure of MEASURES) {
    const ranked = [...totals.values()].toSorted((a, b) => measure(b) - measure(a));
    for (const { key } of ranked.slice(0, top)) kept.add(key);
  }
  const rest = new Map<number, UsagePointWire>();
  for (const point of points) {
    if (kept.has(point.key)) continue;
    const before = rest.get(point.time);
    const others = totals.size - kept.size;
    rest.set(point.time, before ? add(before, point) : { ...point, key: "", name: "", others });
  }
  return [...points.filter(({ key }) => kept.has(key)), ...rest.values()].toSorted((a, b) => a.time - b.time);
};
