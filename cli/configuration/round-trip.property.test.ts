import { channel as channelFormat, createChannelBodySchema } from "@tollgate/contract/api/channels";
import { readNewChannels } from "@tollgate/server/management-api/channels/channel-fields";
import { Failure } from "@tollgate/server/management-api/failure";
import { checkPlan, NEW_PLAN } from "@tollgate/server/management-api/money/plan-rules";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { findChanges } from "./find-changes";
import { findPlanChanges } from "./plan-changes";
import { parseConfiguration } from "./read-file";
import type { CurrentState } from "./read-gateway";
import { toCurrentChannel } from "./read-gateway";
import { writeConfiguration } from "./write-file";

const TEXTS = [
  "",
  "a",
  " a ",
  "007",
  "true",
  "null",
  "~",
  "# no comment",
  "a: b",
  "- a",
  "名",
  "a\nb",
  "a\tb",
  "\u0007",
  "\u200b",
  "{}",
  "*a",
  "&a",
  "!a",
  '"',
  "'",
  "2026-01-01",
  "0x10",
  "1e3",
  "a,b",
  "x".repeat(100),
];

/** A channel as a random body of the API stores it, or undefined for a body that the API refuses. */
const acceptedChannel = (random: () => number, id: number) => {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const text = (): string => pick(TEXTS);
  const body = createChannelBodySchema.safeParse({
    type: pick([1, 3, 8, 14, 15]),
    key: "sk-1",
    name: text(),
    models: pick(["gpt-4o", "a,b/c:d", text(), `${text()},${text()}`]),
    group: pick([undefined, text(), `vip,${text()}`]),
    base_url: pick(["", "https://a.example/"]),
    other: text(),
    model_mapping: pick([undefined, JSON.stringify({ [text()]: text() })]),
    priority: pick([undefined, 0, -3, 9]),
    weight: pick([undefined, 0, 7]),
    status: pick([undefined, 1, 2]),
    tag: text(),
    test_model: text(),
    rpm: pick([undefined, 0, 60]),
  });
  if (!body.success) return undefined;
  try {
    const [stored] = readNewChannels(body.data, 0);
    if (!stored) return undefined;
    // Models may be taken away from many channels at once, the last one too.
    const models = random() < 0.2 ? [] : stored.models;
    const zero = { testTime: 0, responseTimeMs: 0, balance: 0, balanceUpdatedTime: 0, usedQuota: 0 };
    const wire = channelFormat.encode({
      ...stored,
      ...zero,
      models,
      id,
      keyCount: 1,
      deadKeyCount: 0,
      closedUntil: 0,
      usedRequests: 0,
      spentSinceTyped: 0,
      overrides: undefined,
    });
    return channelFormat.read(JSON.parse(JSON.stringify(wire)));
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
};

const acceptedPlan = (random: () => number, id: number) => {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const plan = { ...NEW_PLAN, title: pick(TEXTS), description: pick(TEXTS), group: pick(["", "vip"]) };
  try {
    checkPlan(plan);
    return { ...plan, id, createdTime: 0 };
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
};

describe("a file that export wrote", () => {
  it.each(seeds(120))("changes nothing when it is applied to the same gateway (seed %i)", (seed) => {
    const random = createRandom(seed);
    const ids = Array.from({ length: 12 }, (_, index) => index + 1);
    const channels = ids.flatMap((id) => acceptedChannel(random, id) ?? []);
    const current: CurrentState = {
      options: new Map(),
      users: [],
      channels: channels.map(toCurrentChannel),
      plans: ids.flatMap((id) => acceptedPlan(random, id) ?? []),
    };
    for (const format of ["yaml", "json"] as const) {
      const sides = {
        file: parseConfiguration("gateway", writeConfiguration(current, undefined, format)),
        current,
        channelSecrets: new Map(ids.map((id) => [id, { key: "sk-1", proxy: "", headers: {} }])),
        optionSecrets: new Map(),
        reveal: () => "",
        prune: true,
      };
      expect(findChanges(sides).filter(({ what }) => what !== "option")).toEqual([]);
      expect(findPlanChanges(sides)).toEqual([]);
    }
  });
});
