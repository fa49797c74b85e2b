import { delimiter, join } from "node:path";
import { isRunnable } from "@tollgate/demo/is-runnable";
import { type Browser, chromium } from "playwright-core";

const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
];

/** @throws Error that explains how to name a browser. */
const findChromium = (): string => {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), "/usr/bin"];
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isRunnable);
  if (found === undefined) {
    throw new Error("No Chromium found: install one or name one with CHROMIUM_PATH");
  }
  return found;
};

/** Starts this machine's Chromium without a window. The caller closes it. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    args: [
      // Inside a container there is no user namespace for the sandbox.
      "--no-sandbox",
      "--disable-gpu",
      // Nothing may leave this machine.
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
