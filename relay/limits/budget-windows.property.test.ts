import type { Limits } from "@tollgate/contract/management/limits";
import type { BudgetWindow, HourBudget } from "@tollgate/contract/records/budget-window";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import type { ApiKey } from "../ports/directory";
import { HOUR_MS } from "./calendar";
import { Limiter } from "./limiter";

const MAX = 100;
const START = Date.UTC(2026, 10, 18, 7, 30);

const BUDGETS = [
  { name: "five hours", limits: { fiveHourQuota: MAX } },
  { name: "a window of hours", limits: { windowHours: 1, windowQuota: MAX } },
  { name: "a long window of hours", limits: { windowHours: 50, windowQuota: MAX } },
  { name: "a week", limits: { weeklyQuota: MAX } },
  { name: "a day", limits: { dailyQuota: MAX } },
] as const;

/** Charges of all nodes, and the stored windows, as the databases hold them. */
class World {
  nowMs = START;
  readonly charges: { atMs: number; quota: number }[] = [];
  private readonly windows = new Map<string, BudgetWindow>();
  private readonly reports = new Map<string, Map<string, number>>();
  private readonly before = new Map<string, number>();

  spentSince(startMs: number): number {
    const hourMs = Math.floor(startMs / HOUR_MS) * HOUR_MS;
    return this.charges.reduce((sum, { atMs, quota }) => (atMs >= hourMs ? sum + quota : sum), 0);
  }

  stored() {
    const quotaSince = (startMs: number) => this.spentSince(startMs);
    return [{ userId: 1, keyId: 2, groups: [], quotaSince, requestsSince: () => 0 }];
  }

  find({ scope, subject, hours }: HourBudget): BudgetWindow | undefined {
    return this.windows.get(`${scope} ${subject} ${hours}`);
  }

  /** What the database does: the first caller opens the window. */
  open(window: BudgetWindow): BudgetWindow {
    const known = this.find(window);
    if (known && known.started + known.hours * 3600 > window.started) return known;
    this.windows.set(`${window.scope} ${window.subject} ${window.hours}`, window);
    return window;
  }

  openWindows(): BudgetWindow[] {
    return [...this.windows.values()].filter(
      ({ started, hours }) => (started + hours * 3600) * 1000 > this.nowMs,
    );
  }

  /** What `spend.lua` does. */
  tell(node: string, period: string, before: number, own: number): number {
    this.before.set(period, Math.min(this.before.get(period) ?? before, before));
    const owns = this.reports.get(period) ?? new Map<string, number>();
    this.reports.set(period, owns.set(node, own));
    return [...owns.values()].reduce((sum, one) => sum + one, this.before.get(period) ?? 0);
  }
}

const keyWith = (limits: Limits): ApiKey => ({
  id: 2,
  user: {
    ...{ id: 1, username: "alice", role: 1, status: 1, groups: [] },
    account: { id: 1, quota: 1000, held: 0, isUnlimited: false },
  },
  ...{ name: "key", status: 1, expiredTime: -1, limits },
  account: { id: 2, quota: 1000, held: 0, isUnlimited: false },
});

class Node {
  readonly limiter: Limiter;
  constructor(
    readonly name: string,
    private readonly world: World,
  ) {
    this.limiter = new Limiter(() => world.nowMs, { hasKey: () => true, hasUser: () => true });
    const { budgets } = this.limiter;
    budgets.report({
      opened: (budget, startMs) => this.adopt(world.open({ ...budget, started: startMs / 1000 })),
      reached: () => undefined,
    });
    budgets.share();
    for (const window of world.openWindows()) this.adopt(window);
    budgets.load(world.stored());
  }

  adopt(window: BudgetWindow): void {
    this.limiter.budgets.openWindow(window, window.started * 1000);
  }

  tell(): void {
    const { budgets } = this.limiter;
    for (const closed of budgets.closedWindows()) {
      const window = this.world.find(closed);
      if (window) this.adopt(window);
    }
    for (const use of budgets.takeMet()) {
      const totals = use.spent.map(({ period, startMs, before, own }) =>
        this.world.tell(this.name, `${use.scope} ${period} ${startMs}`, before, own),
      );
      budgets.learn(use, totals);
    }
  }

  raise(): void {
    const times = this.limiter.budgets.budgetTimes();
    this.limiter.budgets.raise(this.world.stored(), times);
  }
}

describe.each(BUDGETS)("a budget of $name, used on two nodes", ({ limits }) => {
  it.each(seeds(30))(
    "refuses nothing below it, and admits nothing above it that both nodes know of (seed %i)",
    (seed) => {
      const random = createRandom(seed);
      const below = (bound: number) => Math.floor(random() * bound);
      const world = new World();
      const key = keyWith(limits);
      let born = 0;
      const begin = () => {
        born += 1;
        return new Node(`node ${born}`, world);
      };
      const nodes = [begin(), begin()];
      /** Spending in the open period; a window has the start that was stored. */
      const truth = (node: Node): number => {
        const { day, week } = node.limiter.budgets.turn();
        const [window] = world.openWindows();
        if ("dailyQuota" in limits) return world.spentSince(day.startMs);
        if ("weeklyQuota" in limits) return world.spentSince(week.startMs);
        return window ? world.spentSince(window.started * 1000) : 0;
      };
      const enter = (node: Node) => node.limiter.enter(key, { promptTokens: 1 }, () => ({}));
      const charge = (node: Node, quota: number): void => {
        world.charges.push({ atMs: world.nowMs, quota });
        node.limiter.charge(key, 1, quota);
      };
      const running: (readonly [Node, number])[] = [];
      for (let step = 0; step < 300; step += 1) {
        const at = below(2);
        const node = nodes[at];
        if (!node) throw new Error("no node");
        const draw = random();
        if (draw < 0.5) {
          const answer = enter(node);
          if (!answer || "then" in answer) throw new Error("not limited");
          if ("code" in answer) {
            expect(truth(node)).toBeGreaterThanOrEqual(MAX);
            expect(answer.retryAfterSeconds).toBeGreaterThan(0);
          } else if (random() < 0.7) charge(node, below(30));
          else running.push([node, below(30)]);
        } else if (draw < 0.6) {
          const [ended] = running.splice(below(running.length), 1);
          if (ended && nodes.includes(ended[0])) charge(...ended);
        } else if (draw < 0.7) node.tell();
        else if (draw < 0.75) node.raise();
        else if (draw < 0.8) {
          const restarted = begin();
          nodes[at] = restarted;
          const answer = enter(restarted);
          expect(answer !== undefined && "code" in answer).toBe(truth(restarted) >= MAX);
        } else if (draw < 0.9) world.nowMs += below(2 * HOUR_MS);
        else {
          // Both have reported, and both have heard.
          for (const each of [...nodes, ...nodes]) {
            enter(each);
            each.tell();
            each.raise();
          }
          const spent = nodes.map(truth);
          for (const [index, each] of nodes.entries()) {
            const answer = enter(each);
            expect(answer !== undefined && "code" in answer).toBe((spent[index] ?? 0) >= MAX);
          }
          expect(new Set(spent).size).toBe(1);
        }
      }
    },
  );
});
