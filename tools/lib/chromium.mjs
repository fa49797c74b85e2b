// @ts-check
import { findProgram } from "./find-program.mjs";

/** The Chromium that the browser tests drive. @throws {Failure} with one sentence that says how to get one. */
export const findChromium = () =>
  findProgram({
    variable: "CHROMIUM_PATH",
    names: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"],
    places: ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"],
    packages: ["chromium", "fonts-noto-cjk"],
    installing: "Installing Chromium …",
    missing:
      "The browser tests need Chromium: install it (on Debian or Ubuntu: apt-get install chromium fonts-noto-cjk) or name one with CHROMIUM_PATH.",
  });
