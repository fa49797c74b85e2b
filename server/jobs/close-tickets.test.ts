import type { TicketRecord } from "@tollgate/contract/records/ticket-record";
import { expect, it } from "vitest";
import type { Notice } from "../notices/notices";
import { closingTickets } from "./close-tickets";

const NOW = 100 * 86_400;

const ticket = (id: number): TicketRecord => ({
  ...{ id, userId: 7, username: "carol", subject: "退款", category: "billing", state: "closed" },
  ...{ requestId: "", assigneeId: 0, assigneeName: "", messageCount: 2, createdAt: 1, changedAt: NOW },
});

const run = async (
  days: { silence: number; kept: number },
  silent: number,
  old: number,
  isStopped = false,
) => {
  const raised: Notice[] = [];
  const steps: unknown[] = [];
  let left = silent;
  let kept = old;
  const job = closingTickets({
    write: {
      async closeSilent(before, at, limit) {
        steps.push(["close", before, at]);
        const count = Math.min(left, limit);
        left -= count;
        return Array.from({ length: count }, (_, id) => ticket(id));
      },
      async removeClosed(before, limit) {
        steps.push(["remove", before]);
        const count = Math.min(kept, limit);
        kept -= count;
        return count;
      },
    },
    notices: { raise: (notice) => void raised.push(notice) },
    options: { number: (name) => (name === "TicketSilenceDays" ? days.silence : days.kept) },
    now: () => NOW,
  });
  await job.run(() => isStopped);
  return { raised, steps, left, kept };
};

it("closes tickets after days of silence, notifies their users, and deletes old ones", async () => {
  const { raised, steps } = await run({ silence: 7, kept: 30 }, 2, 1);
  expect(steps).toEqual([
    ["close", 93 * 86_400, NOW],
    ["remove", 70 * 86_400],
  ]);
  expect(raised).toHaveLength(2);
  expect(raised[0]).toEqual({
    ...{ event: "ticket-closed", subject: `0:${NOW}`, userId: 7 },
    params: { id: 0, username: "carol", subject: "退款" },
  });
});

it("works off any number of tickets, in steps", async () => {
  const { raised, left, kept } = await run({ silence: 1, kept: 1 }, 250, 430);
  expect([raised.length, left, kept]).toEqual([250, 0, 0]);
});

it("leaves all tickets with 0 days, and stops between two steps", async () => {
  expect((await run({ silence: 0, kept: 0 }, 5, 5)).steps).toEqual([]);
  expect((await run({ silence: 7, kept: 30 }, 5, 5, true)).steps).toEqual([]);
});
