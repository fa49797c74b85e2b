import { readFileSync, writeFileSync } from "node:fs";
import { DECLARED_ENDPOINTS } from "@tollgate/testkit/declared-endpoints";
import { expect, it } from "vitest";

/*
 * The guard of a call is declared once, and everything follows from it. So a change of a guard has to be seen: the list beside this
 * test is reviewed with it.
 */

const LIST = new URL("guards.txt", import.meta.url);

it("every call is guarded as the reviewed list says (if not: UPDATE_DOCS=1 npx vitest run contract/api)", () => {
  const lines = DECLARED_ENDPOINTS.map(({ method, path, guard }) => `${guard} ${method} ${path}`).sort();
  expect(new Set(lines).size).toBe(lines.length);
  const listed = `${lines.join("\n")}\n`;
  if (process.env.UPDATE_DOCS === "1") writeFileSync(LIST, listed);
  expect(readFileSync(LIST, "utf8")).toBe(listed);
});
