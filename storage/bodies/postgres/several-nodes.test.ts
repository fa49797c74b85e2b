import { expect, it } from "vitest";
import { askDatabase, newDatabase } from "../../testing/new-database";
import { MASTER_KEY } from "../../testing/sample-records";
import { large } from "../testing/sample-bodies";
import { openBodies } from "./open-bodies";

const MOST = 1_000_000;

it("several nodes store no more than may be, and push out no more than they have to", async () => {
  const address = await newDatabase();
  const nodes = await Promise.all([1, 2, 3].map(() => openBodies(address, MASTER_KEY)));
  await Promise.all(
    nodes.map(async ({ bodies }, node) => {
      for (let index = 0; index < 20; index += 1)
        await bodies.add(large(`${node}-${index}`, index, 50_000), MOST);
    }),
  );
  // What was added while another node made room is counted with the next one.
  await nodes[0]?.bodies.add(large("one more", 99, 50_000), MOST);
  const [row] = await askDatabase(address, "SELECT sum(stored_bytes) AS bytes FROM bodies");
  expect(Number(row?.bytes)).toBeLessThanOrEqual(MOST);
  expect(Number(row?.bytes)).toBeGreaterThan(MOST - 51_000);
  for (const { close } of nodes) await close();
});
