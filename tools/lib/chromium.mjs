// @ts-check
import { findProgram } from "./find-program.mjs";

/**
 * The Chromium that the browser tests drive. The headless shell is the same engine without the window's own interface: the tests take a
 * quarter less of the processor with it.
 * @throws {Failure} with one sentence that says how to get one.
 */
export const findChromium = () =>
  findProgram({
    variable: "CHROMIUM_PATH",
    names: [
      "chromium-headless-shell",
      "chromium",
      "chromium-browser",
      "google-chrome-stable",
      "google-chrome",
    ],
    places: ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"],
    packages: ["chromium-headless-shell", "fonts-noto-cjk"],
    otherPackages: ["chromium", "fonts-noto-cjk"],
    installing: "Installing Chromium …",
    missing:
      "The browser tests need Chromium: install it (on Debian or Ubuntu: apt-get install chromium fonts-noto-cjk) or name one with CHROMIUM_PATH.",
  });
