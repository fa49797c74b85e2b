import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { keepContractRatio } from "@tollgate/testkit/keep-contract-ratio";
import { type PostgresServer, startPostgres } from "@tollgate/testkit/postgres-server";
import { type RedisServer, startRedis } from "@tollgate/testkit/redis-server";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addAccount, addChannel, type Session, signIn } from "../api/relay/stage";
import { answerAsAsked, send } from "./client-book";
import { MODEL, ROOT_PASSWORD } from "./site";

/* A node whose every peer but PostgreSQL is gone: at its start, and when one comes back. */

/** Nothing listens there. */
const NOWHERE = "127.0.0.1:1";

let postgres: PostgresServer;
let upstream: FakeUpstream;
let redis: RedisServer | undefined;
let redisAddress: string;
let node: ServerProcess;
let root: Session;

const OPTIONS = { SMTPServer: "127.0.0.1", SMTPPort: "1", SMTPAccount: "a@example.com", SMTPToken: "t" };

const start = () =>
  startServer({
    env: {
      DATABASE_URL: postgres.address(),
      DATABASE_READ_URL: `postgres://copy:very-secret@${NOWHERE}/tollgate`,
      REDIS_URL: redisAddress,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://${NOWHERE}`,
      MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
      INITIAL_ROOT_PASSWORD: ROOT_PASSWORD,
    },
  });

beforeAll(async () => {
  [postgres, upstream] = await Promise.all([startPostgres(), startFakeUpstream()]);
  answerAsAsked(upstream, 0);
  redisAddress = join(mkdtempSync(join(tmpdir(), "tollgate-redis-")), "socket");
  node = await start();
  root = await signIn(node.url, "root", ROOT_PASSWORD);
  await keepContractRatio(root);
  await addChannel(root, { base_url: upstream.url, models: MODEL });
});
afterAll(async () => {
  await node?.stop();
  await Promise.all([upstream?.close(), postgres?.stop(), redis?.stop()]);
});

it("a node starts, is ready and charges while each optional peer is gone, and says of the copy that it is", async () => {
  for (const [key, value] of Object.entries(OPTIONS)) await root.data("PUT", "/api/option/", { key, value });
  await node.stop();
  node = await start();
  root = await signIn(node.url, "root", ROOT_PASSWORD);
  expect((await fetch(`${node.url}/readyz`)).status).toBe(200);
  const { key } = await addAccount(node.url, root, "alone", 1_000_000, { rpm: 100 });
  expect(await send(node.url, { key, input: 3, output: 4 })).toMatchObject({ kind: "whole" });
  await expect
    .poll(() => root.data<{ items?: unknown[] }[]>("GET", "/api/log/?type=2").then((lines) => lines.length))
    .toBe(1);
  expect(node.stderr).toContain(
    "The copy on 127.0.0.1, which DATABASE_READ_URL names, does not answer (ECONNREFUSED)",
  );
  expect(node.stderr).not.toContain("very-secret");
  expect(node.stderr).not.toMatch(/"level":60/);
});

it("the node takes Redis once it is there", async () => {
  redis = await startRedis(redisAddress);
  await expect
    .poll(() =>
      root.data<{ redis_connections?: number }[]>("GET", "/api/node").then(([one]) => one?.redis_connections),
    )
    .toBe(1);
});
