import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connectWorker } from "./connect-worker";
import { keepThread } from "./keep-thread";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-thread-"));
  path = join(folder, "worker.mjs");
  writeFileSync(
    path,
    `import { parentPort } from "node:worker_threads";
     parentPort.on("message", (message) => {
       if (message === "close") parentPort.close();
       else if (message.method === "fail") throw new Error("out of luck");
       else parentPort.postMessage({ id: message.id, value: message.method });
     });
     parentPort.postMessage("ready");`,
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

it("a thread that ends with an error is restarted: pending calls fail, later calls are answered", async () => {
  const errors: string[] = [];
  let starts = 0;
  const thread = await keepThread(
    () => {
      starts += 1;
      return starts === 2 ? Promise.reject(new Error("not yet")) : connectWorker(path, undefined);
    },
    ({ message }) => errors.push(message),
  );
  expect(await thread.call("group", "one", [])).toMatchObject({ value: "one" });
  const [failed, waiting] = await Promise.allSettled([
    thread.call("group", "fail", []),
    thread.call("group", "two", []),
  ]);
  expect([failed?.status, waiting?.status]).toEqual(["rejected", "rejected"]);
  await expect
    .poll(() => errors)
    .toEqual(["a thread has ended by an error and is started anew: out of luck"]);
  await expect
    .poll(() => thread.call("group", "three", []).catch(() => undefined), { timeout: 20_000 })
    .toMatchObject({ value: "three" });
  expect(starts).toBe(3);
  await thread.close();
  expect(errors).toHaveLength(1);
});
