import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ChargesRefused, StorageConflict } from "../errors";
import { answerCall } from "./answer-call";
import { connectWorker } from "./connect-worker";

it("an error that a thread throws has its class again on this side", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-thread-"));
  const path = join(folder, "worker.mjs");
  const thrown = [new ChargesRefused("too large"), new StorageConflict("balance-too-large")];
  const replies = await Promise.all(
    thrown.map((error, index) =>
      answerCall(
        {
          group: {
            method: () => {
              throw error;
            },
          },
        },
        { id: index + 1, group: "group", method: "method", parameters: [] },
      ),
    ),
  );
  writeFileSync(
    path,
    `import { parentPort, workerData } from "node:worker_threads";
     parentPort.on("message", (message) =>
       message === "close" ? parentPort.close() : parentPort.postMessage(workerData[message.id - 1]));
     parentPort.postMessage("ready");`,
  );
  const thread = await connectWorker(path, replies);
  for (const error of thrown) await expect(thread.call("group", "method", [])).rejects.toStrictEqual(error);
  await thread.close();
  rmSync(folder, { recursive: true });
});
