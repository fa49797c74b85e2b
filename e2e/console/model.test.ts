import { launchBrowser } from "@tollgate/testkit/browser";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayStage, startGatewayStage } from "./gateway-stage";
import { newVisit } from "./visitor";

let stage: GatewayStage;
let browser: Browser;

/** Names that addresses, shells or pages may take for something else. */
const ODD = ["meta-llama/Llama 3.3:70b", "100%2F?x#y.z", "通义&<b>千问", "a//b/../c"];

beforeAll(async () => {
  [stage, browser] = await Promise.all([startGatewayStage(), launchBrowser()]);
  const prices = Object.fromEntries(ODD.map((name, index) => [name, { input: index + 1, output: 9 }]));
  await stage.setOption("ModelPrice", JSON.stringify(prices));
  await stage.setOption("PricePage", "public");
  await stage.addChannel({ models: ["gpt-4o", ...ODD].join(",") });
});

afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

const open = async (page: Page, name: string): Promise<void> => {
  await page.goto(`${stage.server.url}/model/${encodeURIComponent(name)}`);
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
};

describe("the page of a model", () => {
  it("is reached from the prices by every name", async () => {
    const page = await stage.visit();
    for (const name of ODD) {
      await page.goto(`${stage.server.url}/pricing`);
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
      await page.reload();
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
      const first = page.getByRole("table", { name: "价格" }).getByRole("row").nth(1);
      await expect.poll(() => first.textContent()).toContain(`$${ODD.indexOf(name) + 1}.00`);
    }
    await page.context().close();
  });

  it("names those near a name that is not offered", async () => {
    await open(stage.customer, "gpt4o");
    await stage.customer.getByRole("status").getByRole("link", { name: "gpt-4o", exact: true }).click();
    const abilities = stage.customer.getByRole("region", { name: "能力" });
    await abilities.getByText("POST /v1/messages").waitFor();
    expect(await abilities.getByRole("listitem").filter({ hasText: "图像" }).first().textContent()).toBe(
      "图像支持",
    );
  });

  it.each([
    [360, "dark"],
    [1440, "light"],
  ] as const)("is accessible to guests and fits %d px, %s", async (width, colorScheme) => {
    const page = await newVisit(browser, { viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
    for (const name of ["gpt-4o", ODD[1] ?? ""]) {
      await open(page, name);
      await page.getByRole("region", { name: "能力" }).waitFor();
      await page.evaluate(axe.source);
      const findings = (await page.evaluate("axe.run().then((result) => result.violations)")) as {
        id: string;
      }[];
      expect(findings.map(({ id }) => id)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    }
    await page.context().close();
  });
});
