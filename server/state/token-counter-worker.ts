import { parentPort } from "node:worker_threads";
import { countText } from "./count-text";

/** A text that takes longer is estimated from there on; another person is waiting. */
const PATIENCE_MS = 1000;

parentPort?.on("message", ({ model, text }: { model: string; text: string }) => {
  const end = performance.now() + PATIENCE_MS;
  parentPort?.postMessage(countText(model, text, () => performance.now() > end));
});
