import axe from "axe-core";
import type { Page } from "playwright-core";

/** Rules of accessibility that the page breaks, light and dark. */
export const brokenOn = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    await page.evaluate(axe.source);
    const violations = (await page.evaluate("axe.run().then((result) => result.violations)")) as {
      id: string;
      nodes: { html: string }[];
    }[];
    found.push(...violations.map(({ id, nodes }) => `${colorScheme} ${id} ${nodes[0]?.html ?? ""}`));
  }
  return found;
};

/** Whether anything is wider than the screen. */
export const isTooWide = (page: Page) =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
