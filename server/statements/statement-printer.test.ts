import { afterEach, describe, expect, it } from "vitest";
import type { StatementContent } from "./lay-out-statement";
import { StatementPrinter, type StatementPrinterSettings } from "./statement-printer";

/** A thread that answers with the texts of its work, or fails as the site's name says. */
const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads";
    let printing = 0;
    parentPort.on("message", async ({ site }) => {
      printing += 1;
      if (site === "fails") throw new Error("no glyph");
      if (site === "ends") process.exit(0);
      if (site === "hangs") return;
      await new Promise((resolve) => setTimeout(resolve, 20));
      parentPort.postMessage(new TextEncoder().encode(site + " " + printing));
      printing -= 1;
    });
  `)}`,
);

const opened: StatementPrinter[] = [];

const open = (settings: Partial<StatementPrinterSettings> = {}) => {
  const errors: string[] = [];
  const printer = new StatementPrinter({
    ...{ workerPath: script, fontPath: "", ...settings },
    reportError: ({ message }) => errors.push(message),
  });
  opened.push(printer);
  const print = async (site: string): Promise<string | undefined> => {
    const file = await printer.print({ site } as StatementContent);
    return file && new TextDecoder().decode(file);
  };
  return { printer, errors, print };
};

afterEach(async () => {
  for (const printer of opened.splice(0)) await printer.close();
});

describe("the printer of statements", () => {
  it("starts with the first statement, and makes one at a time, in their order", async () => {
    const { printer, print } = open();
    expect(printer.isRunning).toBe(false);
    const files = await Promise.all(["a", "b", "c"].map(print));
    expect(files).toEqual(["a 1", "b 1", "c 1"]);
  });

  it("ends when idle, and starts again", async () => {
    const { printer, print } = open({ idleMs: 30 });
    await print("a");
    expect(printer.isRunning).toBe(true);
    await expect.poll(() => printer.isRunning).toBe(false);
    expect(await print("b")).toBe("b 1");
  });

  it.each([
    ["fails", "no glyph"],
    ["ends", "the thread of printed statements has ended"],
    ["hangs", "printing a statement took too long"],
  ])("makes the next ones where its thread %s", async (site, message) => {
    const { print, errors } = open(site === "hangs" ? { stuckMs: 3000 } : {});
    expect(await Promise.all([print(site), print("next")])).toEqual([undefined, "next 1"]);
    expect(errors).toEqual([message]);
  });

  it("makes nothing after it was closed, and reports nothing about it", async () => {
    const { printer, print, errors } = open();
    const files = Promise.all([print("hangs"), print("waiting")]);
    await printer.close();
    expect(await files).toEqual([undefined, undefined]);
    expect(await print("late")).toBeUndefined();
    expect([errors, printer.isRunning]).toEqual([[], false]);
  });
});
