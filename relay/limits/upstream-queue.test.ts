import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UpstreamQueue, type Waiter } from "./upstream-queue";

/** Upstreams with so many places each, and requests that want one of them. */
const setUp = (places: Record<string, number>, { length = 1000, isAsked = false } = {}) => {
  const free = new Map(Object.entries(places));
  const served: string[] = [];
  const gone: string[] = [];
  const settings = { length };
  const queue = new UpstreamQueue({ length: () => settings.length, now: () => Date.now() });
  const waiters = new Map<string, Waiter>();
  const take = (name: string, route: string): boolean => {
    const left = free.get(route) ?? 0;
    if (left === 0) return false;
    free.set(route, left - 1);
    served.push(name);
    return true;
  };
  /** @param name "a1": the first request of the user a. */
  const wait = (name: string, route = "m", { tokens = 1, waitMs = 5000 } = {}): Waiter => {
    const waiter: Waiter = {
      userId: name.charCodeAt(0),
      route,
      tokens,
      deadlineMs: Date.now() + waitMs,
      channelIds: () => [],
      attempt: () => (isAsked ? Promise.resolve().then(() => take(name, route)) : take(name, route)),
      giveUp: () => void gone.push(name),
    };
    waiters.set(name, waiter);
    queue.join(waiter);
    return waiter;
  };
  const release = (route = "m", count = 1): void => {
    free.set(route, (free.get(route) ?? 0) + count);
    queue.serve();
  };
  const leave = (name: string): void => {
    const waiter = waiters.get(name);
    if (waiter) queue.leave(waiter);
  };
  const settled = async (): Promise<void> => {
    for (let i = 0; i < 50; i += 1) await Promise.resolve();
  };
  return { queue, wait, release, leave, served, gone, settings, settled };
};

const times = (count: number, each: (index: number) => void): void => {
  for (let index = 0; index < count; index += 1) each(index);
};

describe("the queue for full channels", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
  afterEach(() => vi.useRealTimers());

  it("serves a request at once when a slot is free, and sets no timer for it", () => {
    const { queue, wait, served } = setUp({ m: 1 });
    wait("a1");
    expect([served, queue.size, vi.getTimerCount()]).toEqual([["a1"], 0, 0]);
  });

  it("serves users in turn, and each user's requests as they came", () => {
    const { wait, release, served } = setUp({});
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) wait(name);
    times(7, () => release());
    expect(served).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
  });

  it("gives several places that become free at once to users in turn", () => {
    const { wait, release, served } = setUp({});
    for (const name of ["a1", "a2", "a3", "b1"]) wait(name);
    release("m", 3);
    expect(served).toEqual(["a1", "b1", "a2"]);
  });

  it("times out no request that was served or has left because another one timed out", () => {
    const { queue, wait, release, leave, served, gone } = setUp({});
    queue.join({
      userId: 0,
      route: "other",
      tokens: 1,
      deadlineMs: Date.now() + 100,
      channelIds: () => [],
      attempt: () => false,
      giveUp() {
        leave("a1");
        release();
      },
    });
    for (const name of ["a1", "b1", "c1"]) wait(name, "m", { waitMs: 100 });
    vi.advanceTimersByTime(100);
    expect([served, gone, queue.size]).toEqual([["b1"], ["c1"], 0]);
  });

  it("lets requests for another route pass, also of the same user", () => {
    const { wait, release, served } = setUp({});
    wait("a1", "full");
    wait("a2", "other");
    wait("b1", "full");
    release("other");
    release("full");
    expect(served).toEqual(["a2", "b1"]);
  });

  it("lets another user's smaller request pass one that is too large, and no larger one", () => {
    const { queue, served, gone } = setUp({});
    let room = 10;
    const asked: string[] = [];
    const wait = (name: string, tokens: number): void =>
      queue.join({
        userId: name.charCodeAt(0),
        route: "m",
        tokens,
        deadlineMs: Date.now() + 1000,
        channelIds: () => [],
        attempt() {
          asked.push(name);
          if (tokens > room) return false;
          room -= tokens;
          served.push(name);
          return true;
        },
        giveUp: () => void gone.push(name),
      });
    wait("a1", 50);
    wait("b1", 60);
    wait("c1", 5);
    expect([served, asked.at(-1)]).toEqual([["c1"], "c1"]);
    asked.length = 0;
    queue.serve();
    expect(asked).toEqual(["a1"]);
  });

  it("times out every request, and stops its timer with the last one", () => {
    const { queue, wait, gone, served, release } = setUp({});
    wait("a1", "m", { waitMs: 1000 });
    wait("b1", "m", { waitMs: 2000 });
    vi.advanceTimersByTime(999);
    expect(gone).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(gone).toEqual(["a1"]);
    release();
    expect([served, queue.size, vi.getTimerCount()]).toEqual([["b1"], 0, 0]);
  });

  it("looks by itself for slots that become free without an event, such as at the next minute", () => {
    const { wait, release, served, queue } = setUp({});
    wait("a1");
    const serve = vi.spyOn(queue, "serve").mockImplementationOnce(() => {});
    release();
    serve.mockRestore();
    expect(served).toEqual([]);
    vi.advanceTimersByTime(60);
    expect(served).toEqual(["a1"]);
  });

  it("drops the last request of the user with the most when it is too long, so that no user blocks the others", () => {
    const { wait, gone, served, release } = setUp({}, { length: 3 });
    for (const name of ["a1", "a2", "a3", "a4", "b1", "c1", "d1"]) wait(name);
    expect(gone).toEqual(["a4", "a3", "a2", "d1"]);
    times(3, () => release());
    expect(served).toEqual(["a1", "b1", "c1"]);
  });

  it("drops every request when its length is 0, and shortens itself when it is set to 0", () => {
    const { wait, gone, settings, queue } = setUp({}, { length: 0 });
    wait("a1");
    expect([gone, vi.getTimerCount()]).toEqual([["a1"], 0]);
    settings.length = 2;
    wait("a2");
    wait("b1");
    settings.length = 0;
    vi.advanceTimersByTime(60);
    expect([queue.size, vi.getTimerCount()]).toEqual([0, 0]);
  });

  it("forgets who leaves", () => {
    const { wait, leave, release, served, queue } = setUp({});
    for (const name of ["a1", "a2", "b1"]) wait(name);
    leave("a1");
    leave("a1");
    leave("b1");
    release();
    expect([served, queue.size, vi.getTimerCount()]).toEqual([["a2"], 0, 0]);
  });

  it("asks other nodes about one at a time, and gives a place whose request has left to the next", async () => {
    const { wait, leave, release, served, settled, queue } = setUp({}, { isAsked: true });
    for (const name of ["a1", "b1", "c1"]) wait(name);
    await settled();
    expect(served).toEqual([]);
    release("m", 2);
    leave("a1");
    await settled();
    // What was asked for the first one is the owner's to give back.
    expect(served.slice(0, 2)).toEqual(["a1", "b1"]);
    expect(queue.size).toBe(1);
  });

  it("gives up who was asked about when the answer is there", async () => {
    const { wait, gone, settled } = setUp({}, { isAsked: true });
    wait("a1", "m", { waitMs: 10 });
    vi.advanceTimersByTime(100);
    expect(gone).toEqual([]);
    await settled();
    vi.advanceTimersByTime(100);
    await settled();
    vi.advanceTimersByTime(100);
    expect(gone).toEqual(["a1"]);
  });

  it.each(seeds(60))(
    "is fair, loses no request and starves no user in any order of events (seed %i)",
    async (seed) => {
      const random = createRandom(seed);
      const below = (bound: number) => Math.floor(random() * bound);
      const isAsked = random() < 0.3;
      const { queue, wait, release, leave, served, gone, settled } = setUp({}, { length: 40, isAsked });
      const joined: string[] = [];
      const left = new Set<string>();
      const waiting = (): string[] =>
        joined.filter((name) => !served.includes(name) && !gone.includes(name) && !left.has(name));
      /** How often others were served of each user that had one waiting all the while. */
      const passedOver = new Map<string, Map<string, number>>();
      let seen = 0;
      const countTurns = (before: readonly string[]): void => {
        for (const name of served.slice(seen)) {
          const user = name[0] ?? "";
          passedOver.delete(user);
          for (const other of new Set(before.map((each) => each[0] ?? ""))) {
            if (other === user) continue;
            const turns = passedOver.get(other) ?? new Map<string, number>();
            turns.set(user, (turns.get(user) ?? 0) + 1);
            passedOver.set(other, turns);
            // Between two turns of one user every other waiting user has one.
            expect(turns.get(user), `${other} waits while ${user} has turns`).toBeLessThanOrEqual(2);
          }
        }
        seen = served.length;
        const users = new Set(waiting().map((each) => each[0]));
        for (const user of passedOver.keys()) if (!users.has(user)) passedOver.delete(user);
      };
      for (let step = 0; step < 120; step += 1) {
        const before = waiting();
        const draw = random();
        if (draw < 0.5) {
          // One of the users asks for most of it.
          const name = `${random() < 0.6 ? "a" : "bcdef"[below(5)]}${step}`;
          joined.push(name);
          wait(name);
        } else if (draw < 0.8) release();
        else if (draw < 0.9) {
          const name = before[below(before.length)];
          if (name !== undefined) {
            leave(name);
            if (!isAsked) left.add(name);
            else {
              await settled();
              if (!served.includes(name)) left.add(name);
            }
          }
        } else vi.advanceTimersByTime(below(2000));
        await settled();
        countTurns(before);
        expect(queue.size).toBe(waiting().length);
        expect(queue.size).toBeLessThanOrEqual(40);
        expect(vi.getTimerCount()).toBe(queue.size > 0 ? 1 : 0);
      }
      vi.advanceTimersByTime(10_000);
      await settled();
      vi.advanceTimersByTime(10_000);
      expect([queue.size, vi.getTimerCount(), waiting()]).toEqual([0, 0, []]);
      expect(new Set([...served, ...gone]).size).toBe(served.length + gone.length);
    },
  );
});
