import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { calendarAt } from "./calendar";
import { type OwnSpending, type Period, Spending, type StoredSpending } from "./spending";

const CALENDAR = calendarAt(new Date(2026, 10, 21, 12).getTime());
const TOMORROW = calendarAt(new Date(2026, 10, 22, 12).getTime());

const BOTH: readonly Period[] = ["day", "month"];

const charge = (quota: number) => ({ quota, requests: 1 });

/** Amounts in storage. */
const stored = (day: number, month: number): StoredSpending => ({
  quotaSince: (startMs) => (startMs < CALENDAR.day.startMs ? month : day),
  requestsSince: () => 0,
});

const usedOf = (spending: Spending<number>, period: Period, calendar = CALENDAR): number =>
  spending.use(1, period, calendar).used;

/** What `spend.lua` does: the sums of the nodes, and the stored sum when the first of them began. */
class Ledger {
  private before: number | undefined;
  private readonly own = new Map<string, number>();

  tell(node: string, { before, own }: OwnSpending): number {
    this.before = Math.min(this.before ?? before, before);
    this.own.set(node, own);
    return [...this.own.values()].reduce((sum, one) => sum + one, this.before);
  }
}

describe("the spending of several nodes", () => {
  it("is known to each when each has told the others", () => {
    const ledger = new Ledger();
    const nodes = ["a", "b"].map((name) => ({ name, spending: new Spending<number>(() => true) }));
    const exchange = () => {
      for (const { name, spending } of nodes) {
        const [report] = spending.report(1, ["day"], CALENDAR);
        if (report) spending.learn(1, [report], [ledger.tell(name, report)]);
      }
    };
    nodes[0]?.spending.add(1, charge(30), CALENDAR);
    nodes[1]?.spending.add(1, charge(12), CALENDAR);
    exchange();
    exchange();
    expect(nodes.map(({ spending }) => usedOf(spending, "day"))).toEqual([42, 42]);
  });

  it("counts spending during a query of the other nodes", () => {
    const spending = new Spending<number>(() => true);
    spending.add(1, charge(10), CALENDAR);
    const report = spending.report(1, BOTH, CALENDAR);
    spending.add(1, charge(5), CALENDAR);
    spending.learn(1, report, [100, 100]);
    expect(usedOf(spending, "day")).toBe(105);
  });

  it("says nothing of another day", () => {
    const spending = new Spending<number>(() => true);
    spending.add(1, charge(10), CALENDAR);
    const report = spending.report(1, BOTH, CALENDAR);
    spending.add(1, charge(5), TOMORROW);
    spending.learn(1, report, [100, 100]);
    expect([usedOf(spending, "day", TOMORROW), usedOf(spending, "month", TOMORROW)]).toEqual([5, 105]);
  });

  it("is at least the stored spending, and gives back an amount that could not be stored", () => {
    const spending = new Spending<number>(() => true);
    spending.add(1, charge(10), CALENDAR);
    expect(spending.raise(1, stored(40, 60), CALENDAR)).toMatchObject({ day: 40, month: 60 });
    expect(spending.raise(1, stored(40, 70), CALENDAR)).toMatchObject({ day: 0, month: 10 });
    expect([usedOf(spending, "day"), usedOf(spending, "month")]).toEqual([40, 70]);
    spending.learn(1, spending.report(1, BOTH, CALENDAR), [15, 90]);
    expect([usedOf(spending, "day"), usedOf(spending, "month")]).toEqual([40, 90]);
    spending.add(1, charge(-10), CALENDAR);
    expect(usedOf(spending, "month")).toBe(80);
  });

  it.each(seeds(40))(
    "is never more than was spent, and complete in the end, in any order of starts, crashes and lost state (seed %i)",
    (seed) => {
      const random = createRandom(seed);
      const below = (bound: number) => Math.floor(random() * bound);
      let [truth, born, ledger] = [below(50), 0, new Ledger()];
      const begin = () => {
        const spending = new Spending<number>(() => true);
        spending.load(1, stored(truth, truth), CALENDAR);
        born += 1;
        return { name: `node ${born}`, spending };
      };
      let nodes = [begin(), begin(), begin()];
      const late: (() => void)[] = [];
      const exchange = ({ name, spending }: (typeof nodes)[0], isHeard: boolean) => {
        const report = spending.report(1, BOTH, CALENDAR);
        const [ofDay] = report;
        if (!ofDay) throw new Error("no report");
        const day = ledger.tell(name, ofDay);
        if (isHeard) spending.learn(1, report, [day, day]);
        // A message that is done twice, the second time after others.
        else late.push(() => ledger.tell(name, ofDay));
      };
      const check = () => {
        for (const { spending } of nodes) expect(usedOf(spending, "day")).toBeLessThanOrEqual(truth);
      };
      for (let step = 0; step < 200; step += 1) {
        const draw = random();
        const at = below(nodes.length);
        const node = nodes[at];
        if (!node) throw new Error("no node");
        if (draw < 0.4) {
          const quota = below(10);
          truth += quota;
          node.spending.add(1, charge(quota), CALENDAR);
        } else if (draw < 0.8) exchange(node, random() < 0.8);
        else if (draw < 0.85) late.splice(below(late.length), 1)[0]?.();
        else if (draw < 0.93) nodes = nodes.map((other, index) => (index === at ? begin() : other));
        else if (draw < 0.96) ledger = new Ledger();
        else node.spending.raise(1, stored(truth, truth), CALENDAR);
        check();
      }
      for (const node of nodes) node.spending.raise(1, stored(truth, truth), CALENDAR);
      for (const node of [...nodes, ...nodes]) exchange(node, true);
      expect(nodes.map(({ spending }) => usedOf(spending, "day"))).toEqual(nodes.map(() => truth));
    },
  );
});
