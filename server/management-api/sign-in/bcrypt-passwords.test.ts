import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { isOutdatedHash, verifyPassword } from "./passwords";

const COST_10 = "$2b$10$0D/AyG.Iq.ug8Cy9xe/eFe9BG.q889jgi54CH2D3JPwPbMdL40pcu";
const COST_12 = "$2b$12$ZEN8fAnyKo1SROW.G4ALtuislL7y77w9rOm2dbxH3msf0aDa2ffce";
const COST_4 = "$2b$04$ZODx/ydMk8vM17iQLr.Z1.kauJbCZ6apR0HOMfr2TLf0QIF2bMFRq";
/** Of more than the 72 bytes that bcrypt looks at. */
const LONG = "$2b$05$Nwuo33dc2bIUrivj0WL0juNRTMLZaqUyHgQiywo67UHShbFxYVF72";

describe("the password of an imported account", () => {
  it.each([
    ["hunter2hunter2", COST_10, true],
    ["hunter2hunter2", COST_10.replace("$2b", "$2a"), true],
    ["hunter2hunter2", COST_10.replace("$2b", "$2y"), true],
    ["hunter2hunter3", COST_10, false],
    ["", COST_10, false],
    ["correct horse", COST_4, true],
    ["correct horse\u0000", COST_4, false],
    [`密码${"x".repeat(80)}`, LONG, true],
    ["correct horse", COST_4.slice(0, -1), false],
    ["correct horse", "$2b$04$", false],
    ["correct horse", COST_4.replace("$04$", "$31$"), false],
    ["correct horse", COST_4.replace("$04$", "$99$"), false],
    ["correct horse", COST_4.replace("$04$", "$00$"), false],
  ])("%j against %s is right: %s", async (password, hash, isRight) => {
    expect(isOutdatedHash(hash)).toBe(true);
    expect(await verifyPassword(hash, password)).toBe(isRight);
  });

  it("is checked while the loop does other things", async () => {
    await verifyPassword(COST_4, "loads what is needed");
    const before = performance.eventLoopUtilization();
    await verifyPassword(COST_12, "hunter2hunter2");
    const { active, idle } = performance.eventLoopUtilization(before);
    expect(active).toBeLessThan((active + idle) / 2);
  });
});
