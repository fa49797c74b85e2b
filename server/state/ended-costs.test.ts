import type { AttemptRecord, RequestRecord } from "@tollgate/relay/ports/charges";
import { decodeChanges, encodeCharges } from "@tollgate/storage/accounts/charges";
import { summandsOf } from "@tollgate/storage/log/sql/summands";
import { decodeEntries, type RequestEntry } from "@tollgate/storage/outbox/log-entry";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { expect, it } from "vitest";
import { EndedCosts } from "./ended-costs";

const HOUR = 1_800_000_000 - (1_800_000_000 % 3600);

const recordOf = (keyId: number, costs: readonly (readonly [channelId: number, cost: number])[]) =>
  ({
    key: { id: keyId, name: `key-${keyId}`, user: { id: 1, username: "alice" } },
    attempts: costs.map(
      ([channelId, cost]): AttemptRecord => ({
        ...{ channelId, outcome: "late-answer", status: 0, startedMs: 0, firstByteMs: undefined },
        durationMs: 1,
        ...(cost > 0 ? { endedCost: { model: "m", cost, formula: "", isEstimate: true } } : {}),
      }),
    ),
  }) as unknown as RequestRecord;

const readAll = (text: string): RequestEntry[] => {
  const entries: RequestEntry[] = [];
  decodeEntries(
    text,
    (entry) => entries.push(entry),
    () => {},
  );
  return entries;
};

it.each(seeds(10))("loses and doubles no cost, on the way to sums and to channels (seed %i)", (seed) => {
  const random = createRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const costs = new EndedCosts();
  const due = new Map<number, number>();
  const stored: RequestEntry[] = [];
  const spent = new Map<number, number>();
  for (let step = 0; step < 60; step += 1) {
    const tried = Array.from({ length: below(4) }, () => [1 + below(3), below(3) * 500] as const);
    costs.add(recordOf(1 + below(2), tried), HOUR + below(2) * 3600);
    for (const [channelId, cost] of tried) due.set(channelId, (due.get(channelId) ?? 0) + cost);
    if (below(5) > 0) continue;
    const taken = costs.take();
    if (below(3) === 0) {
      costs.putBack(taken);
      continue;
    }
    const [changes, entries] = encodeCharges(taken);
    stored.push(...readAll(entries));
    const { users, tokens, channels } = decodeChanges(changes);
    expect([users, tokens]).toEqual([[], []]);
    for (const [id, quota, , count, , cost = 0] of channels) {
      expect([quota, count]).toEqual([0, 0]);
      spent.set(id, (spent.get(id) ?? 0) + cost);
    }
  }
  const rest = costs.take();
  expect(rest.length).toBeLessThanOrEqual(2 * 2 * 3);
  for (const { channelId, cost = 0 } of [...stored, ...rest])
    due.set(channelId, (due.get(channelId) ?? 0) - cost);
  expect([...due.values()].every((left) => left === 0)).toBe(true);
  for (const entry of stored) {
    const { cost, ...others } = summandsOf(entry);
    expect(cost).toBe(entry.cost);
    expect(Object.values(others).every((value) => value === 0)).toBe(true);
    spent.set(entry.channelId, (spent.get(entry.channelId) ?? 0) - (entry.cost ?? 0));
  }
  expect([...spent.values()].every((left) => left === 0)).toBe(true);
});
