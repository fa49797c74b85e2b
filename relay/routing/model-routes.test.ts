import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import type { UpstreamTarget } from "../ports/directory";
import { ModelRoutes, type RoutedChannel } from "./model-routes";

const entryOf = (channel: { id: number }, key: number): UpstreamTarget =>
  ({ id: `${channel.id}/${key}`, channel }) as UpstreamTarget;

const channelOf = (
  id: number,
  priority: number,
  groups: string[],
  models: string[],
  keys: number,
): RoutedChannel => ({
  id,
  priority,
  groups,
  models,
  targets: Array.from({ length: keys }, (_, key) => entryOf({ id }, key)),
});

/** What the routes must say, worked out again from all channels. */
const expected = (channels: ReadonlyMap<number, RoutedChannel>, group: string, model: string): string[] =>
  [...channels.values()]
    .filter(({ groups, models }) => groups.includes(group) && models.includes(model))
    .sort((a, b) => b.priority - a.priority || a.id - b.id)
    .flatMap(({ targets }) => targets.map(({ id }) => id));

const GROUPS = ["default", "vip"];
const MODELS = ["a", "b", "c"];

describe("routes", () => {
  it.each(seeds(8))("equal the routes of all channels after any changes (seed %i)", (seed) => {
    const random = createRandom(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    const some = (all: string[]): string[] => all.filter(() => random() < 0.6);
    const make = (id: number): RoutedChannel =>
      channelOf(id, below(3), some(GROUPS), [...some(MODELS), ...some(MODELS)], below(4));
    const known = new Map<number, RoutedChannel>();
    const routes = new ModelRoutes();
    const atStart = Array.from({ length: 10 }, (_, index) => make(index * 2));
    routes.load(atStart);
    for (const channel of atStart) known.set(channel.id, channel);
    for (let step = 0; step < 400; step += 1) {
      const id = below(24);
      if (random() < 0.25) {
        routes.remove(id);
        known.delete(id);
      } else {
        const channel = make(id);
        routes.set(channel);
        known.set(id, channel);
      }
      for (const group of GROUPS) {
        for (const model of MODELS) {
          expect(routes.candidates(group, model).map((entry) => entry.id)).toEqual(
            expected(known, group, model),
          );
          expect(routes.isListed(group, model)).toBe(
            [...known.values()].some(
              ({ groups, models }) => groups.includes(group) && models.includes(model),
            ),
          );
        }
        expect(routes.modelsOf(group)).toEqual(
          MODELS.filter((model) => expected(known, group, model).length > 0),
        );
      }
    }
  });

  it("are touched by a change only where its channel stands", () => {
    const routes = new ModelRoutes();
    let looks = 0;
    const counted = (id: number): UpstreamTarget => {
      const channel = { id };
      return {
        id: `${id}/0`,
        get channel() {
          looks += 1;
          return channel;
        },
      } as UpstreamTarget;
    };
    const models = Array.from({ length: 40 }, (_, index) => `m${index}`);
    const channels = Array.from({ length: 5000 }, (_, id) => ({
      id,
      priority: id % 3,
      groups: GROUPS,
      models,
      targets: [counted(id)],
    }));
    routes.load(channels);
    looks = 0;
    routes.set({ ...(channels[2500] as RoutedChannel), targets: [] });
    routes.set(channels[2500] as RoutedChannel);
    // Two changes in 80 routes of 5,000 keys each: 13 halvings, not 5,000 looks.
    expect(looks).toBeLessThanOrEqual(2 * 80 * 2 * 14);
    expect(routes.candidates("vip", "m7")).toHaveLength(5000);
  });
});
