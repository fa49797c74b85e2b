import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** What the system says itself. */
const OF_THE_SYSTEM = /^(listen )?E[A-Z]+: |^scandir$|^database or disk is full$/;

const SAYING = ["server", "storage", "cli"].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: "utf8" })
    .filter((file) => /[.](ts|json)$/.test(file) && !/[.]test[.]ts$|node_modules/.test(file))
    .map((file) => readFileSync(join(room, file), "utf8")),
);

it("every message that docs/guides/troubleshoot.md names is one that the product says", () => {
  const rows = readFileSync("docs/guides/troubleshoot.md", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|")[1] ?? "");
  const messages = rows
    .flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text))
    // Sentences, not names of variables and commands.
    .filter((text) => text.includes(" ") && !OF_THE_SYSTEM.test(text))
    .flatMap((text) => text.split("…").map((part) => part.trim()));
  expect(messages.length).toBeGreaterThan(25);
  const unsaid = messages.filter(
    (message) =>
      !SAYING.some((text) => text.includes(message.replaceAll('"', '\\"')) || text.includes(message)),
  );
  expect(unsaid).toEqual([]);
});
