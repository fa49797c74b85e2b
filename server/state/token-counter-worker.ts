import { parentPort } from "node:worker_threads";
import type { CountPurpose } from "@tollgate/relay/ports/charges";
import { countText } from "./count-text";

/** A text that takes longer is estimated from there on, unless it is charged; another person is waiting. */
const PATIENCE_MS = 1000;

interface Order {
  model: string;
  text: string;
  purpose: CountPurpose;
}

parentPort?.on("message", ({ model, text, purpose }: Order) => {
  const end = performance.now() + PATIENCE_MS;
  const isTimeUp = (): boolean => purpose === "information" && performance.now() > end;
  parentPort?.postMessage(countText(model, text, isTimeUp));
});
