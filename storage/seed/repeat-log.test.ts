import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { encodeCharges } from "../accounts/charges";
import { openLogWriter, openReader, openWriter } from "../open-sqlite";
import { repeatLog } from "./repeat-log";

const MASTER_KEY = new Uint8Array(32).fill(7);
const DAY_SECONDS = 86_400;
const START = 1_767_225_600;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-repeat-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

it("repeats the first days of a log, lines and sums alike", async () => {
  const path = join(folder, "test.db");
  const writer = await openWriter(path, MASTER_KEY);
  const log = await openLogWriter(path);
  const chargeAt = (createdAt: number, quota: number) => ({
    requestId: `r-${quota}`,
    userId: 1,
    tokenId: 1,
    channelId: 1,
    quota,
    tokenQuota: 0,
    createdAt,
    username: "alice",
    tokenName: "k",
    modelName: "m",
    promptTokens: 1,
    completionTokens: 1,
    content: "why",
    count: "answered" as const,
    isLogged: true,
    isStream: false,
    durationMs: 1,
    firstByteMs: undefined,
    receipt: "",
  });
  const late = START + 50 * DAY_SECONDS;
  const charges = [chargeAt(START, 1), chargeAt(START + DAY_SECONDS, 2), chargeAt(late, 100)];
  writer.repositories.charges.commit(...encodeCharges(charges));
  log.repositories.log.ingest();
  log.close();
  await repeatLog(path, 3, 2);
  const reader = openReader(path, MASTER_KEY);
  const { logs, usage } = reader.repositories;
  expect(logs.page({}, 0, 100).map(({ quota }) => quota)).toEqual([100, 2, 1, 2, 1, 2, 1, 2, 1]);
  expect(logs.page({ userId: 1 }, 7, 100).map(({ quota }) => quota)).toEqual([2, 1]);
  expect(usage.consumedQuota({}, late + DAY_SECONDS)).toBe(112);
  expect(usage.consumedQuota({ username: "alice", modelName: "m" }, late + DAY_SECONDS)).toBe(112);
  reader.close();
  writer.close();
});
