// @ts-check
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/root.mjs";
import { packageProgram, runCommand } from "../lib/run-command.mjs";

/**
 * A fault of one line outside the console, and the tests that have to notice it.
 * @typedef {{file: string, from: string, to: string, tests: string}} Fault
 */

/** @type {readonly Fault[]} */
export const PLANTED = [
  {
    file: "metering/ledger.ts",
    from: "Math.max(0, quota - held - (due ?? 0))",
    to: "Math.max(0, quota - (due ?? 0))",
    tests: "metering/ledger",
  },
  {
    file: "metering/ledger.ts",
    from: "key.isUnlimited ? 0 : Math.min(charged, key.quota)",
    to: "key.isUnlimited ? 0 : charged",
    tests: "metering/ledger",
  },
  {
    file: "metering/leases/node-leases.ts",
    from: "if (idle > 0 && !lease.change && lease.waiting.length === 0)",
    to: "if (idle > 0 && lease.waiting.length === 0)",
    tests: "metering/leases",
  },
  {
    file: "relay/limits/spending.ts",
    from: "total - sent.own + window.own",
    to: "total",
    tests: "relay/limits/spending",
  },
  {
    file: "relay/limits/upstream-queue.ts",
    from: "if (user.count === 0) this.users.delete(user.id)",
    to: "this.users.delete(user.id)",
    tests: "relay/limits/upstream-queue",
  },
  {
    file: "relay/transport/http1/answer-reader.ts",
    from: "Math.min(to, from + this.remaining)",
    to: "to",
    tests: "relay/transport/http1",
  },
  {
    file: "protocols/shared/errors/conceal-secrets.ts",
    from: "round <= MAX_ROUNDS",
    to: "round < 1",
    tests: "protocols/shared/errors/conceal-secrets",
  },
  {
    file: "storage/journal/read-journal.ts",
    from: "if (id !== last + 1) missing.push",
    to: "if (id > last + 2) missing.push",
    tests: "storage/journal",
  },
  {
    file: "server/backup/archive.ts",
    from: "if (!wanted || wanted.sha256 !== is?.sha256)",
    to: "if (!wanted)",
    tests: "server/backup",
  },
  {
    file: "server/reconciliation/read-cells.ts",
    from: "hour > 23 || minute > 59",
    to: "hour > 23",
    tests: "server/reconciliation",
  },
];

/**
 * Plants each fault in the checkout, runs its tests with as many cases as `npm test`, and takes it out again.
 * @returns {Promise<Fault[]>} the faults that no test notices
 */
export const runPlanted = async () => {
  /** @type {Fault[]} */
  const unnoticed = [];
  for (const fault of PLANTED) {
    const path = join(ROOT, fault.file);
    const text = readFileSync(path, "utf8");
    const restore = () => writeFileSync(path, text);
    process.once("exit", restore);
    try {
      writeFileSync(path, text.replace(fault.from, fault.to));
      const args = ["run", "--project", "unit*", "--bail", "1", fault.tests];
      const { status } = await runCommand(process.execPath, [packageProgram("vitest/vitest.mjs"), ...args], {
        env: { ...process.env, TEST_CASES: "some" },
      });
      console.log(`${status === 0 ? "UNNOTICED" : "noticed  "} ${fault.file}: ${fault.to}`);
      if (status === 0) unnoticed.push(fault);
    } finally {
      restore();
      process.off("exit", restore);
    }
  }
  return unnoticed;
};
