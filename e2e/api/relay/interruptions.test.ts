import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Figures, type Stage, startStage } from "./stage";
import { PATHS, smallRequest } from "./wire";

/* What a client pays that leaves, under either policy (docs/reference/interruptions.md). */

const MODEL = "gpt-3.5-turbo";
/** 13 prompt and 5 completion tokens, as the upstream tells them. */
const PRICE = 18;
/** One token each. */
const WORDS = 40;

let stage: Stage;
let account: Account;
let before: Figures;

beforeAll(async () => {
  stage = await startStage({ CLIENT_STALL_TIMEOUT_MS: "500" });
  await addChannel(stage.root, { base_url: stage.upstream.url, models: MODEL });
  account = await stage.addAccount("alice", 1_000_000);
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(async () => {
  stage.upstream.reset();
  before = await account.figures();
});

afterEach(() => stage.setOption("InterruptionDrainSeconds", "30"));

/** Asks for a stream, reads until `readBytes` bytes have come, and leaves. */
const askAndLeave = async (readBytes: number): Promise<void> => {
  const leaving = new AbortController();
  const response = await fetch(stage.server.url + PATHS.chat, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}` },
    body: JSON.stringify(smallRequest(MODEL, { stream: true })),
    signal: leaving.signal,
  });
  const reader = response.body?.getReader();
  let size = 0;
  while (reader && size < readBytes) size += (await reader.read()).value?.length ?? readBytes;
  leaving.abort();
};

const charged = async (): Promise<number> => before.user.quota - (await account.figures()).user.quota;

const expectOneCharge = () =>
  expect.poll(async () => (await account.figures()).user.requests).toBe(before.user.requests + 1);

const lastLine = async () => (await account.usage())[0];

describe.each(["received", "drain"])("under the policy %s a client that leaves", (policy) => {
  beforeAll(() => stage.setOption("InterruptionPolicy", policy));

  it("before the first byte pays nothing, and the upstream is stopped", async () => {
    stage.upstream.script({ fault: "slow-first-byte", delayMs: 5000 });
    await expect(
      fetch(stage.server.url + PATHS.chat, {
        method: "POST",
        headers: { authorization: `Bearer ${account.key}` },
        body: JSON.stringify(smallRequest(MODEL, { stream: true })),
        signal: AbortSignal.timeout(100),
      }),
    ).rejects.toThrow();
    await expect.poll(() => stage.upstream.requests[0]?.isAbandoned).toBe(true);
    expect(await account.figures()).toEqual(before);
  });

  it.each([false, true])(
    "by closing its sending half alone pays nothing (C19, stream: %s)",
    async (stream) => {
      stage.upstream.script({ fault: "slow-first-byte", delayMs: 5000 });
      const { hostname, port } = new URL(stage.server.url);
      const body = JSON.stringify(smallRequest(MODEL, stream ? { stream } : {}));
      const head = `POST ${PATHS.chat} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\n`;
      const client = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
      let text = "";
      client.on("data", (bytes: Buffer) => {
        text += bytes.toString();
      });
      client.end(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      await new Promise((resolve) => client.once("end", resolve));
      expect(text).toBe("");
      const [asked] = stage.upstream.requests;
      if (asked) await expect.poll(() => asked.isAbandoned).toBe(true);
      expect(await account.figures()).toEqual(before);
    },
  );

  it("before a request's turn on its connection pays nothing, and nothing is sent upstream (M13)", async () => {
    stage.upstream.script({ fault: "slow-first-byte", delayMs: 5000 }, {});
    const { hostname, port } = new URL(stage.server.url);
    const body = JSON.stringify(smallRequest(MODEL));
    const head = `POST ${PATHS.chat} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\n`;
    const client = connect(Number(port), hostname);
    client.write(`${head}content-length: ${body.length}\r\n\r\n${body}`.repeat(2));
    await expect.poll(() => stage.upstream.requests.length).toBe(1);
    client.destroy();
    await expect.poll(() => stage.upstream.requests[0]?.isAbandoned).toBe(true);
    expect(stage.upstream.requests).toHaveLength(1);
    expect(await account.figures()).toEqual(before);
  });

  it("in the middle of a stream", async () => {
    stage.upstream.script({ fault: "slow", delayMs: 15, text: "word ".repeat(WORDS), pieces: WORDS });
    await askAndLeave(1000);
    await expectOneCharge();
    const line = await lastLine();
    expect(await charged()).toBe(line?.quota);
    if (policy === "drain") {
      expect(line).toMatchObject({ quota: PRICE, prompt_tokens: 13, completion_tokens: 5 });
      expect(line?.content).toContain("按上游用量计费");
      expect(stage.upstream.requests[0]?.isAbandoned).toBe(false);
    } else {
      expect(line?.completion_tokens).toBeGreaterThan(1);
      expect(line?.completion_tokens).toBeLessThan(WORDS);
      expect(line?.content).toContain("按已送达内容计费");
      await expect.poll(() => stage.upstream.requests[0]?.isAbandoned).toBe(true);
    }
  });

  it("after the end pays the whole answer", async () => {
    await askAndLeave(Number.POSITIVE_INFINITY);
    await expectOneCharge();
    expect(await lastLine()).toMatchObject({ quota: PRICE });
    expect((await lastLine())?.content).not.toContain("中断");
  });

  it("pays nothing for an empty stream", async () => {
    stage.upstream.script({ fault: "empty-stream" });
    await askAndLeave(1);
    await wait(50);
    expect(await account.figures()).toEqual(before);
  });
});

describe("a client that does not read (S15)", () => {
  it("is disconnected, and pays for the delivered part", async () => {
    await stage.setOption("InterruptionPolicy", "received");
    const mallory = await stage.addAccount("mallory", 100_000_000);
    stage.upstream.script({ text: "word ".repeat(4_000_000), pieces: 2000 });
    const { hostname, port } = new URL(stage.server.url);
    const body = JSON.stringify(smallRequest(MODEL, { stream: true }));
    const head = [
      `POST ${PATHS.chat} HTTP/1.1`,
      `host: ${hostname}:${port}`,
      `authorization: Bearer ${mallory.key}`,
      `content-length: ${body.length}`,
    ];
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.pause();
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
    await expect.poll(async () => (await mallory.figures()).user.requests).toBe(1);
    socket.destroy();
    const [line] = await mallory.usage();
    expect(line?.completion_tokens).toBeGreaterThan(1000);
    expect(line?.completion_tokens).toBeLessThan(4_000_000);
  });
});

describe("under the policy drain", () => {
  beforeAll(() => stage.setOption("InterruptionPolicy", "drain"));

  it("an upstream that never ends is given up after the seconds that are set", async () => {
    await stage.setOption("InterruptionDrainSeconds", "1");
    stage.upstream.script({ fault: "stall-mid-stream" });
    await askAndLeave(1);
    await expectOneCharge();
    expect((await lastLine())?.content).toContain("按已送达内容计费");
    await expect.poll(() => stage.upstream.requests[0]?.isAbandoned).toBe(true);
  });

  it.each([
    ["InterruptionPolicy", "never"],
    ["InterruptionDrainSeconds", "0"],
    ["InterruptionDrainSeconds", "601"],
  ])("%s cannot be %s", async (key, value) => {
    await expect(stage.setOption(key, value)).rejects.toThrow(key);
  });
});
