// @ts-check
/**
 * The rooms of the project, from the ground up: which of them ship, and which others each may import
 * (docs/architecture.md). The lists that npm and TypeScript read, `workspaces` and the dependencies of each package, say
 * the same (tools/rooms.test.ts).
 * @type {Record<string, {ships: boolean, sees: readonly string[]}>}
 */
const PLAN = {
  contract: { ships: true, sees: [] },
  protocols: { ships: true, sees: ["contract"] },
  vendors: { ships: true, sees: ["contract"] },
  metering: { ships: true, sees: ["contract"] },
  accounts: { ships: true, sees: ["contract", "metering"] },
  relay: { ships: true, sees: ["contract", "protocols", "vendors", "metering"] },
  storage: { ships: true, sees: ["contract"] },
  server: {
    ships: true,
    sees: ["contract", "protocols", "vendors", "metering", "accounts", "relay", "storage"],
  },
  cli: {
    ships: true,
    sees: ["contract", "protocols", "vendors", "metering", "accounts", "relay", "storage", "server"],
  },
  console: { ships: true, sees: ["contract", "vendors"] },
  testkit: { ships: false, sees: ["contract", "demo"] },
  demo: { ships: false, sees: ["contract"] },
  e2e: { ships: false, sees: ["contract", "demo", "testkit"] },
  bench: { ships: false, sees: ["contract", "demo", "testkit"] },
};

/** All rooms that are packages; `tools` is none, because it runs before anything is installed. */
export const ROOMS = Object.keys(PLAN);

/** What the product is made of. */
export const SHIPPED = ROOMS.filter((room) => PLAN[room]?.ships);

/** Which other rooms this one may import. @param {string} room */
export const seenBy = (room) => PLAN[room]?.sees ?? [];
