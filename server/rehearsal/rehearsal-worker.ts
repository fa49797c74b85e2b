import { parentPort, workerData } from "node:worker_threads";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { type PriceTexts, readPriceBook, ruleBookOf } from "../state/price-book";
import type { RehearsalData, RehearsalPart } from "./rehearsal-thread";
import { LineRehearsal } from "./rehearse-lines";

/*
 * Prices lines again, on its own thread: receives the lines of some hours at a time, replies with the number read, and
 * at the end with the result.
 */

const { texts, shapes, range } = workerData as RehearsalData;
const options: PriceTexts = {
  text: (key) => texts[key] ?? "",
  ratios: (key) => parseRatioTable(texts[key] ?? "") ?? new Map(),
  priceVersion: 1,
};
const rehearsal = new LineRehearsal(readPriceBook(options, ruleBookOf(options)), new Map(shapes), range);

parentPort?.on("message", (parts: readonly RehearsalPart[] | "end") => {
  if (parts === "end") {
    parentPort?.postMessage(rehearsal.read());
    return;
  }
  for (const { hour, data } of parts) rehearsal.add(hour, data);
  parentPort?.postMessage(rehearsal.lines);
});
