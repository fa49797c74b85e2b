import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { refuseOldNode } from "./check-node";

it.each(["20.19.0", "20.20.2", "21.0.0", "22.23.3", "26.1.0"])("Node %s runs the product", (version) => {
  expect(refuseOldNode(version)).toBeUndefined();
});

it.each(["18.20.8", "20.18.3", "16.0.0"])("Node %s is told which one is needed", (version) => {
  expect(refuseOldNode(version)).toBe(
    `Tollgate needs Node.js 20.19 or newer; this is ${version}. Get a newer one from https://nodejs.org.`,
  );
});

it("means the oldest Node that package.json names", () => {
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };
  expect(engines.node).toBe(">=20.19");
});
