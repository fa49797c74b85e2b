import { describe, expect, it } from "vitest";
import { KeptViews } from "./kept-views";

const setUp = () => {
  let now = 1_800_000_000;
  const told: (() => void)[] = [];
  const answers = new KeptViews<{ made: number }>({
    now: () => now,
    accounts: {
      changes: {
        subscribe: (listen: (change: { of: string }) => void) => told.push(() => listen({ of: "channel" })),
      },
    },
    options: { onChange: (listen: () => void) => told.push(listen) },
  });
  let made = 0;
  const ask = (reader: string, isFailing = false) =>
    answers.of(reader, async () => {
      made += 1;
      if (isFailing) throw new Error("the log does not answer");
      return { made };
    });
  return {
    ask,
    made: () => made,
    later: (seconds: number) => {
      now += seconds;
    },
    change: (which: number) => told[which]?.(),
  };
};

describe("views that are kept", () => {
  it("are made once for all readers with the same view, and again after a minute", async () => {
    const { ask, made, later } = setUp();
    const [one, other] = await Promise.all([ask("default"), ask("default")]);
    expect(one).toBe(other);
    expect(one).toEqual({ made: 1 });
    expect(await ask("vip")).toEqual({ made: 2 });
    later(59);
    await ask("default");
    expect(made()).toBe(2);
    later(1);
    expect(await ask("default")).toEqual({ made: 3 });
  });

  it.each([0, 1])("are forgotten where a channel or an option changes (%i)", async (which) => {
    const { ask, made, change } = setUp();
    await ask("default");
    change(which);
    await ask("default");
    expect(made()).toBe(2);
  });

  it("are asked for again where one could not be made", async () => {
    const { ask, made } = setUp();
    await expect(ask("default", true)).rejects.toThrow("the log does not answer");
    await ask("default");
    expect(made()).toBe(2);
  });

  it("are so many at most", async () => {
    const { ask, made } = setUp();
    for (let reader = 0; reader <= 32; reader += 1) await ask(String(reader));
    await ask("32");
    expect(made()).toBe(33);
    await ask("0");
    expect(made()).toBe(34);
  });
});
