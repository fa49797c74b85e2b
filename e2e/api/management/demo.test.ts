import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { callApi, signIn } from "@tollgate/demo/api-client";
import { demand } from "@tollgate/demo/build-world";
import { DAY_SECONDS, DEMO_PASSWORD, DEMO_ROOT_PASSWORD } from "@tollgate/demo/world";
import { expect, it, onTestFinished } from "vitest";

const TOOLS = fileURLToPath(new URL("../../../tools/", import.meta.url));

it("npm run demo shows an operator's two months, in which an order can be paid, and the doctor finds no fault", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-demo-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // The channels keep the simulated upstream's address: 0 would be another port for each start.
  const env = { ...process.env, DATA_DIR: folder, PORT: "0", DEMO_UPSTREAM_PORT: "0" };
  const demo = spawn(process.execPath, [join(TOOLS, "demo.mjs")], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(demo, "exit");
  onTestFinished(() => void demo.kill("SIGTERM"));
  let said = "";
  for (const stream of [demo.stdout, demo.stderr])
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
  await expect.poll(() => said, { timeout: 100_000 }).toMatch(/ready at http:\S+/);
  const url = /ready at (http:\S+)/.exec(said)?.[1] ?? "";
  const root = await signIn(url, "root", DEMO_ROOT_PASSWORD);
  const read = async <T>(path: string, as = root): Promise<T> => (await demand(as.api("GET", path))) as T;

  const orders =
    await read<{ number: string; state: string; username: string; created_time: number }[]>(
      "/api/payment/orders",
    );
  const states = new Set(orders.map(({ state }) => state));
  expect([...states].sort()).toEqual([
    ...["cancelled", "expired", "paid", "partly-refunded", "pending", "refunded"],
  ]);
  // They are spread over the time that the usage covers.
  const times = orders.map(({ created_time }) => created_time);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(40 * DAY_SECONDS);

  const profit = await read<{ rows: { key: string; margin?: number }[] }>("/api/profit?by=model");
  const losing = profit.rows.filter(({ margin = 0 }) => margin < 0).map(({ key }) => key);
  expect(losing).toEqual(["gpt-5.6-sol"]);
  expect((await read<{ state: string }[]>("/api/subscription")).map(({ state }) => state)).toEqual([
    ...["active", "ended", "ended"],
  ]);
  const payouts = await read<{ state: string }[]>("/api/invitation/payouts");
  expect(payouts.map(({ state }) => state)).toEqual(["asked", "paid"]);
  const codes =
    await read<{ used_count: number; status: number; expired_time: number }[]>("/api/redemption/");
  expect(codes.filter(({ used_count }) => used_count > 0)).toHaveLength(3);
  const now = Date.now() / 1000;
  expect(codes.filter(({ expired_time }) => expired_time > 0 && expired_time < now)).toHaveLength(1);
  expect(await read<unknown[]>("/api/reconciliation")).toHaveLength(1);
  const drafts = await read<{ id: number; state: string }[]>("/api/price-drafts");
  expect(drafts.map(({ state }) => state)).toEqual(["scheduled", "draft"]);
  const tickets = await read<{ state: string; request_id: string }[]>("/api/ticket");
  expect(tickets.map(({ state, request_id }) => [state, request_id !== ""])).toEqual([
    ["waiting-for-support", true],
    ["waiting-for-customer", false],
    ["closed", false],
  ]);
  const rehearsal = await read<{ state: string }>(`/api/price-drafts/${drafts[1]?.id}/rehearsal`);
  expect(rehearsal.state).toBe("done");

  const buyer = await signIn(url, "zhangmin", DEMO_PASSWORD);
  const [open] = await read<{ number: string; state: string; pay: { content: string } }[]>(
    "/api/order",
    buyer,
  );
  expect(open?.state).toBe("pending");
  const page = await callApi("GET", open?.pay.content ?? "");
  expect(page.text).toContain("¥144.00");
  const action = new URL(/action="([^"]+)"/.exec(page.text)?.[1] ?? "", open?.pay.content).href;
  // The site's address is of the port that it was told, which here is any: it asks the cashier itself.
  expect((await callApi("POST", action)).status).toBe(303);
  await demand(root.api("POST", `/api/payment/orders/${open?.number}/ask`));
  expect((await read<{ state: string }>(`/api/order/${open?.number}`, buyer)).state).toBe("paid");

  demo.kill("SIGTERM");
  await ended;
  const doctor = spawnSync(process.execPath, [join(TOOLS, "tollgate.mjs"), "doctor"], {
    env: { ...process.env, DATA_DIR: folder },
    encoding: "utf8",
  });
  expect(doctor.stdout + doctor.stderr).toContain("Every balance is what was granted less what was settled");
  expect(doctor.status).toBe(0);
}, 180_000);
