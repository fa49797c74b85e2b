import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { SHIPPED } from "./lib/rooms.mjs";

/** The capabilities, each with the words by which its files are found in every room (decision 21). */
const CAPABILITIES: Record<string, readonly string[]> = {
  users: [
    "user",
    "account",
    "session",
    "second-factor",
    "passkey",
    "sign-in",
    "oauth",
    "register",
    "setup",
    "password",
    "verification",
  ],
  permissions: ["permission", "management-key"],
  "API keys": ["api-key"],
  channels: ["channel", "upstream", "balance-reader"],
  groups: ["group"],
  prices: ["price", "pricing"],
  rehearsal: ["rehearsal", "rehearse", "price-draft"],
  profit: ["profit", "buying", "margin", "ended-cost"],
  reconciliation: ["reconciliation", "reconcile", "bill"],
  plans: ["plan"],
  orders: ["order", "payment"],
  commissions: ["commission", "invitation"],
  redemptions: ["redemption"],
  promotions: ["promotion"],
  charges: ["charge", "booking", "lease", "outbox", "journal", "settlement"],
  ledger: ["ledger"],
  statements: ["statement"],
  logs: ["log", "usage", "export"],
  dashboard: ["dashboard"],
  cockpit: ["cockpit", "attention"],
  receipts: ["receipt", "request-refund"],
  bodies: ["body", "bodies", "translation"],
  notices: ["notice"],
  announcements: ["announcement"],
  invoices: ["invoice", "tax-number"],
  terms: ["terms"],
  tickets: ["ticket"],
  playground: ["playground"],
  "connect guides": ["connect"],
  "model status": ["model-status"],
  audit: ["audit"],
  options: ["option", "settings", "site-text"],
  "configuration file": ["configuration"],
  limits: [
    "limit-uses",
    "limit[.]routes",
    "limiter",
    "shared-limits",
    "budget-window",
    "key-network",
    "note-network",
  ],
  nodes: ["node"],
  home: ["home", "status"],
};

/** Rooms where a name may mean something of the room's own, such as the plan of attempts in `relay`. */
const ROOMS = SHIPPED.filter((room) => !["protocols", "vendors", "relay"].includes(room));

const PAGE = "docs/capabilities.md";

const FILES = ROOMS.flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: "utf8" }).map((path) => join(room, path)),
)
  .filter((path) => /[.]tsx?$/.test(path))
  .filter((path) => !/[.]test[.]|[.]d[.]ts$|\/(?:testing|fixtures|node_modules|dist)\//.test(path))
  .sort();

/** The capability that a name tells: of several words that it contains the longest one counts, of equals the first. */
const capabilityOf = (name: string): string | undefined => {
  let found: { capability: string; word: string } | undefined;
  for (const [capability, words] of Object.entries(CAPABILITIES))
    for (const word of words)
      if (
        new RegExp(`(?:^|[-.])${word}(?:e?s)?(?:[-.]|$)`).test(name) &&
        word.length > (found?.word.length ?? 0)
      )
        found = { capability, word };
  return found?.capability;
};

/** The capability of a file: what the folder of a console feature tells, elsewhere its own name before those above it. */
const findCapability = (path: string): string | undefined => {
  const [, feature] = /^console\/features\/([^/]+)\//.exec(path) ?? [];
  if (feature !== undefined) return capabilityOf(feature);
  // What lies in a store is no capability's by that alone: `storage/accounts` keeps what most of them store.
  const folders = dirname(path)
    .split("/")
    .slice(path.startsWith("storage/") ? 2 : 1);
  const names = [basename(path).replace(/[.]tsx?$/, ""), ...folders.reverse()];
  for (const name of names) {
    const capability = capabilityOf(name);
    if (capability !== undefined) return capability;
  }
  return undefined;
};

/** Files that exist for one capability each: their names have to tell which. */
const isOfOne = (path: string): boolean =>
  /^(?:console\/features|contract\/api)\//.test(path) || /[.](?:routes|repository)[.]ts$/.test(path);

const found = new Map<string, string[]>();
for (const path of FILES) {
  const capability = findCapability(path);
  if (capability !== undefined) found.set(capability, [...(found.get(capability) ?? []), path]);
}

/** The files of one folder in one entry: all of a folder that has no others by its name alone. */
const shorten = (paths: readonly string[]): string[] => {
  const byFolder = new Map<string, string[]>();
  for (const path of paths) byFolder.set(dirname(path), [...(byFolder.get(dirname(path)) ?? []), path]);
  return [...byFolder].flatMap(([folder, inside]) => {
    const all = FILES.filter((path) => path.startsWith(`${folder}/`)).length;
    return inside.length > 1 && all === inside.length ? [`${folder}/`] : inside;
  });
};

const PAGE_TEXT = `# Capabilities

For the person who changes a capability, or removes it: every file that belongs to it, room by room. A capability has one name in all
rooms ([decision 21](decisions/0021-one-name-for-a-capability.md)); a feature of the console is the folder of that name.

This page is written by \`tools/capabilities.test.ts\` (\`UPDATE_DOCS=1\`), which knows the names, fails where the page is out of date
and where a call, a repository or a feature has a name that tells no capability. Tests lie beside the files, and in \`e2e/\`.
${Object.keys(CAPABILITIES)
  .map(
    (capability) =>
      `\n## ${capability.replace(/^./, (first) => first.toUpperCase())}\n\n${shorten(
        found.get(capability) ?? [],
      )
        .map((path) => `- \`${path}\``)
        .join("\n")}\n`,
  )
  .join("")}`;

describe("the capabilities", () => {
  it("gives every call, repository and console feature a name that tells its capability", () => {
    expect(FILES.filter((path) => isOfOne(path) && findCapability(path) === undefined)).toEqual([]);
  });

  it("lists the files of each capability on a page that is up to date", () => {
    if (process.env.UPDATE_DOCS === "1") writeFileSync(PAGE, PAGE_TEXT);
    expect(readFileSync(PAGE, "utf8")).toBe(PAGE_TEXT);
  });
});
