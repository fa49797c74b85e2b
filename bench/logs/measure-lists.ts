import type { ServerProcess, SignedIn } from "@tollgate/testkit/server-process";
import budgets from "../budgets.json" with { type: "json" };
import { TICKS_PER_SECOND } from "../load/cpu-ticks";
import { median } from "../load/median";
import { print } from "../print";
import { createListCalls } from "./list-calls";
import { userName, WORLD_OF_LISTS } from "./log-world";

const TIMES = 7;

interface MeasuredCall {
  name: string;
  medianMs: number;
  longestMs: number;
  bytes: number;
  /** The server's refusal; "" where there are rows. */
  refusal: string;
}

const measureCall = async (name: string, path: string, caller: SignedIn): Promise<MeasuredCall> => {
  const times: number[] = [];
  let bytes = 0;
  let refusal = "";
  for (let i = 0; i < TIMES; i += 1) {
    const startedAt = performance.now();
    const { status, body, text } = await caller.api("GET", path);
    times.push(performance.now() - startedAt);
    bytes = text.length;
    if (body.success !== true) refusal = `${status} ${body.message}`;
  }
  return { name, medianMs: median(times), longestMs: Math.max(...times), bytes, refusal };
};

/**
 * Makes every list call sequentially, and prints a line for each.
 * @param ticks CPU time of the answering processes, in clock ticks: the duration on an otherwise idle machine.
 * @param now unix seconds.
 * @returns the slowest in the median.
 */
export const measureLists = async (
  server: ServerProcess,
  ticks: () => number,
  now: number,
): Promise<MeasuredCall> => {
  const root = await server.signIn();
  const user = await server.signIn(userName(0, WORLD_OF_LISTS), "password-1");
  const measured: MeasuredCall[] = [];
  const printRow = (name: string, figures: readonly string[], remark: string): void =>
    print([name.padEnd(60), ...figures.map((figure) => figure.padStart(8)), remark].join(" "));
  printRow(`call, ${TIMES} times`, ["p50 ms", "max ms", "CPU ms", "kB"], "");
  for (const { name, path, caller } of await createListCalls({ root, user }, now)) {
    const before = ticks();
    const call = await measureCall(name, path, caller);
    const cpuMs = ((ticks() - before) * 1000) / TICKS_PER_SECOND / TIMES;
    measured.push(call);
    const isAbove = call.medianMs > budgets.adminPageMs;
    const figures = [call.medianMs, call.longestMs, cpuMs, call.bytes / 1000];
    printRow(
      name,
      figures.map((figure) => figure.toFixed(1)),
      call.refusal || (isAbove ? "ABOVE THE BAR" : ""),
    );
  }
  return measured.reduce((slowest, call) => (call.medianMs > slowest.medianMs ? call : slowest));
};
