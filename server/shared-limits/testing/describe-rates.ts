import type { Leave, LeaveKind, RateAnswer, RateSubject, Rates, RateUse } from "@tollgate/relay/limits/rates";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";

/** A minute that has just begun. */
export const MINUTE_BEGAN = Date.UTC(2026, 10, 21, 12);
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

export interface RatesUnderTest {
  rates: Rates;
  /** Sets the clock by which minutes are counted. */
  setClock(nowMs: number): Promise<void>;
  /** Waits until reports sent without waiting are counted, and running requests are known. */
  settle(): Promise<void>;
}

export const subject = (
  limits: RateSubject["limits"],
  scope: RateSubject["scope"] = "key",
  id: number | string = 2,
): RateSubject => ({ scope, id, limits });

/** The reason of a refusal, or the function that ends the request. */
export const resultOf = ({ outcome }: RateAnswer): string | Leave =>
  "leave" in outcome ? outcome.leave : `${outcome.refusedBy}: ${outcome.fault ?? "barred"}`;

export const leaveOf = (answer: RateAnswer): Leave => {
  const result = resultOf(answer);
  if (typeof result === "string") throw new Error(`refused, ${result}`);
  return result;
};

interface ModelUse {
  requests: number;
  tokens: number;
}

/** The rules in their simplest form: each minute of each subject on its own. */
class Model {
  private readonly uses = new Map<string, ModelUse>();
  private readonly active = new Map<string, number>();

  private use(key: string, minute: number): ModelUse {
    const name = `${key}@${minute}`;
    const use = this.uses.get(name) ?? { requests: 0, tokens: 0 };
    this.uses.set(name, use);
    return use;
  }

  enter(
    subjects: readonly RateSubject[],
    tokens: number,
    barred: number,
    minute: number,
  ): string | ModelUse[] {
    for (const [index, { scope, id, limits }] of subjects.entries()) {
      const key = `${scope} ${id}`;
      const use = this.use(key, minute);
      const { rpm = Infinity, tpm = Infinity, concurrency = Infinity } = limits;
      if (index === barred) return `${index}: barred`;
      if (use.requests + 1 > rpm) return `${index}: requests-limited`;
      if (use.tokens + tokens > tpm) return `${index}: tokens-limited`;
      if ((this.active.get(key) ?? 0) + 1 > concurrency) return `${index}: concurrency-limited`;
    }
    return subjects.map(({ scope, id }) => {
      const key = `${scope} ${id}`;
      const use = this.use(key, minute);
      use.requests += 1;
      use.tokens += tokens;
      this.active.set(key, (this.active.get(key) ?? 0) + 1);
      return { ...use };
    });
  }

  look(subjects: readonly RateSubject[], minute: number): RateUse[] {
    return subjects.map(({ scope, id }) => {
      const key = `${scope} ${id}`;
      return { ...this.use(key, minute), active: this.active.get(key) ?? 0 };
    });
  }

  leave(
    subjects: readonly RateSubject[],
    tokens: number,
    entered: number,
    minute: number,
    kind: LeaveKind,
  ): void {
    for (const { scope, id } of subjects) {
      const key = `${scope} ${id}`;
      this.active.set(key, (this.active.get(key) ?? 0) - 1);
      if (entered !== minute) continue;
      const use = this.use(key, minute);
      if (kind !== "uncounted") use.tokens = Math.max(0, use.tokens - tokens);
      if (kind === "unsent") use.requests = Math.max(0, use.requests - 1);
    }
  }

  add({ scope, id }: RateSubject, tokens: number, minute: number): void {
    this.use(`${scope} ${id}`, minute).tokens += tokens;
  }
}

/** Tests for all implementations of rates. */
export const describeRates = (where: string, open: () => Promise<RatesUnderTest>): void => {
  describe(`rates that are counted ${where}`, () => {
    it("refuse requests beyond the limit, and take them again in the next minute", async () => {
      const { rates, setClock } = await open();
      await setClock(MINUTE_BEGAN + 18 * SECOND);
      const key = subject({ rpm: 2 });
      expect(await rates.enter([key], 10)).toMatchObject({
        nowMs: MINUTE_BEGAN + 18 * SECOND,
        uses: [{ requests: 1, tokens: 10 }],
      });
      leaveOf(await rates.enter([key], 10));
      expect(await rates.enter([key], 10)).toMatchObject({
        uses: [{ requests: 2, tokens: 20 }],
        outcome: { refusedBy: 0, fault: "requests-limited" },
      });
      await setClock(MINUTE_BEGAN + MINUTE);
      expect(await rates.enter([key], 10)).toMatchObject({ uses: [{ requests: 1, tokens: 10 }] });
    });

    it("count a request that one refuses for none", async () => {
      const { rates, setClock } = await open();
      await setClock(MINUTE_BEGAN);
      const [user, key] = [subject({ rpm: 2 }, "user"), subject({ rpm: 1 })];
      leaveOf(await rates.enter([user, key], 10));
      for (let i = 0; i < 3; i += 1)
        expect(resultOf(await rates.enter([user, key], 10))).toBe("1: requests-limited");
      expect((await rates.enter([user], 10)).uses).toEqual([{ requests: 2, tokens: 20 }]);
    });

    it("count tokens as estimated while a request runs, and as charged when it has ended", async () => {
      const { rates, setClock, settle } = await open();
      await setClock(MINUTE_BEGAN);
      const key = subject({ tpm: 100 });
      const leave = leaveOf(await rates.enter([key], 60));
      expect(resultOf(await rates.enter([key], 50))).toBe("0: tokens-limited");
      rates.add("key", 2, 30);
      leave();
      await settle();
      leaveOf(await rates.enter([key], 50));
      expect(resultOf(await rates.enter([key], 30))).toBe("0: tokens-limited");
      leaveOf(await rates.enter([key], 20));
    });

    it("leave the room of a later minute alone when a request of an earlier one ends", async () => {
      const { rates, setClock, settle } = await open();
      await setClock(MINUTE_BEGAN);
      const key = subject({ tpm: 100 });
      const leave = leaveOf(await rates.enter([key], 60));
      await setClock(MINUTE_BEGAN + MINUTE);
      leaveOf(await rates.enter([key], 60));
      leave();
      await settle();
      expect(resultOf(await rates.enter([key], 50))).toBe("0: tokens-limited");
    });

    it("refuse requests at the same time beyond the limit until another has ended", async () => {
      const { rates, setClock, settle } = await open();
      await setClock(MINUTE_BEGAN);
      const group = subject({ concurrency: 2 }, "group", "vip {a} b:c");
      const leave = leaveOf(await rates.enter([group], 10));
      leaveOf(await rates.enter([group], 10));
      expect(resultOf(await rates.enter([group], 10))).toBe("0: concurrency-limited");
      leave();
      await settle();
      leaveOf(await rates.enter([group], 10));
      expect(resultOf(await rates.enter([group], 10))).toBe("0: concurrency-limited");
    });

    it("stop counting a request that was never sent, and keep the estimate of one without reported usage", async () => {
      const { rates, setClock, settle } = await open();
      await setClock(MINUTE_BEGAN);
      const [channel, key] = [
        subject({ rpm: 3, tpm: 100 }, "channel", 7),
        subject({ concurrency: 1 }, "channel-key", "7/a"),
      ];
      const unsent = leaveOf(await rates.enter([channel, key], 40));
      expect(await rates.look([channel, key])).toEqual([
        { requests: 1, tokens: 40, active: 1 },
        { requests: 1, tokens: 40, active: 1 },
      ]);
      unsent("unsent");
      await settle();
      expect(await rates.look([channel])).toEqual([{ requests: 0, tokens: 0, active: 0 }]);
      const broken = leaveOf(await rates.enter([channel, key], 40));
      broken("uncounted");
      await settle();
      expect(await rates.look([channel, key])).toEqual([
        { requests: 1, tokens: 40, active: 0 },
        { requests: 1, tokens: 40, active: 0 },
      ]);
      // Another minute owes it nothing.
      const late = leaveOf(await rates.enter([channel, key], 40));
      await setClock(MINUTE_BEGAN + MINUTE);
      late("unsent");
      await settle();
      expect(await rates.look([channel])).toEqual([{ requests: 0, tokens: 0, active: 0 }]);
    });

    it("let one that is barred refuse in its turn", async () => {
      const { rates, setClock } = await open();
      await setClock(MINUTE_BEGAN);
      const subjects = [subject({ rpm: 1 }), subject({}, "user")];
      expect(resultOf(await rates.enter(subjects, 10, 1))).toBe("1: barred");
      leaveOf(await rates.enter(subjects, 10, -1));
      expect(resultOf(await rates.enter(subjects, 10, 1))).toBe("0: requests-limited");
    });

    it("make no minute's room once more for a clock that is set back", async () => {
      const { rates, setClock } = await open();
      await setClock(MINUTE_BEGAN);
      const key = subject({ rpm: 1 });
      leaveOf(await rates.enter([key], 10));
      await setClock(MINUTE_BEGAN - MINUTE);
      expect(resultOf(await rates.enter([key], 10))).toBe("0: requests-limited");
      await setClock(MINUTE_BEGAN);
      leaveOf(await rates.enter([key], 10));
    });

    it.each(seeds(12))(
      "equal the counts by the rules, for any questions at any time (seed %i)",
      async (seed) => {
        const { rates, setClock, settle } = await open();
        const random = createRandom(seed);
        const below = (bound: number) => Math.floor(random() * bound);
        const pool = [
          subject({ rpm: 5 }, "key", 1),
          subject({ tpm: 300, concurrency: 4 }, "key", 2),
          subject({ rpm: 9, tpm: 500 }, "user", 1),
          subject({ concurrency: 3 }, "group", "1"),
          subject({}, "group", "all"),
          subject({ rpm: 6, concurrency: 3 }, "channel", 1),
          subject({ tpm: 400 }, "channel-key", "1/a"),
        ];
        const model = new Model();
        const running: { leave: Leave; subjects: RateSubject[]; tokens: number; minute: number }[] = [];
        let nowMs = MINUTE_BEGAN + below(MINUTE);
        await setClock(nowMs);
        for (let step = 0; step < 150; step += 1) {
          const minute = Math.floor(nowMs / MINUTE);
          const draw = random();
          if (draw < 0.5) {
            const subjects = pool.filter(() => random() < 0.6);
            const [tokens, barred] = [below(120), random() < 0.1 ? below(pool.length) : -1];
            const expected = model.enter(subjects, tokens, barred, minute);
            const answer = await rates.enter(subjects, tokens, barred);
            const result = resultOf(answer);
            if (typeof result === "string" || typeof expected === "string") expect(result).toBe(expected);
            else {
              expect(answer.uses).toEqual(expected);
              running.push({ leave: result, subjects, tokens, minute });
            }
          } else if (draw < 0.75) {
            const [ended] = running.splice(below(running.length), 1);
            if (!ended) continue;
            const used = below(150);
            const kind = (["counted", "uncounted", "unsent"] as const)[below(3)];
            for (const each of ended.subjects) {
              if (kind !== "counted") continue;
              rates.add(each.scope, each.id, used);
              model.add(each, used, minute);
            }
            ended.leave(kind);
            model.leave(ended.subjects, ended.tokens, ended.minute, minute, kind ?? "counted");
            await settle();
            expect(await rates.look(ended.subjects)).toEqual(model.look(ended.subjects, minute));
          } else {
            nowMs += draw < 0.95 ? below(8 * SECOND) : below(3 * MINUTE);
            await setClock(nowMs);
            await settle();
          }
        }
      },
    );
  });
};
