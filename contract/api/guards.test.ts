import { DECLARED_ENDPOINTS } from "@tollgate/testkit/declared-endpoints";
import { expect, it } from "vitest";

/*
 * The guard of a call is declared once, and everything follows from it. So a change of a guard has to be seen: the list beside this
 * test is reviewed with it.
 */

it("every call is guarded as the reviewed list says", async () => {
  const lines = DECLARED_ENDPOINTS.map(({ method, path, guard }) => `${guard} ${method} ${path}`).sort();
  expect(new Set(lines).size).toBe(lines.length);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./guards.txt");
});
