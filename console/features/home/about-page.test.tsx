// @vitest-environment happy-dom

import { CONTRACT_VERSION, PRODUCT_VERSION } from "@tollgate/contract/version";
import { expect, it } from "vitest";
import { screen } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

it("shows the product's version beside the contract's, on the page and in the footer", async () => {
  await openConsole("/about", { "GET /api/about": "" });
  const both = `${CONTRACT_VERSION} (Tollgate ${PRODUCT_VERSION})`;
  await expect.poll(() => screen.queryAllByText((text) => text.includes(both)).length).toBe(2);
});
