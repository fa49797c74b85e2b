import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordedRequest } from "@tollgate/testkit/fake-upstream/recorded-request";
import type { UpstreamScript } from "@tollgate/testkit/fake-upstream/upstream-script";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addChannel, type Stage, startStage } from "../api/relay/stage";
import { PNG } from "../sdk/clients/client";
import type { Agent, FileKind } from "./agent";
import { CLAUDE_CODE } from "./agents/claude-code";
import { CLINE } from "./agents/cline";
import { CODEX } from "./agents/codex";
import { GEMINI_CLI } from "./agents/gemini-cli";
import { OPENCODE } from "./agents/opencode";
import { QWEN_CODE } from "./agents/qwen-code";
import { installAgent } from "./install-agent";
import { readRequest } from "./read-request";
import { type RecordingRelay, startRecordingRelay } from "./recording-relay";
import { runAgent } from "./run-agent";

/*
 * Agents as people install them, each with its own settings, before upstreams of every shape: it is told to read files
 * with its own tool, one after the other, each time after a thought, and then ends with a sentence.
 */

const AGENTS: readonly Agent[] = [CLAUDE_CODE, CODEX, GEMINI_CLI, ...QWEN_CODE, ...OPENCODE, ...CLINE];

const SEAL = { responses: "c2VhbGVk", other: "c2lnbmF0dXJl" };
const UPSTREAMS = [
  { name: "Chat Completions", type: 8, model: "gpt-4o" },
  { name: "Responses", type: 1, model: "gpt-5-codex", seal: SEAL.responses },
  { name: "Messages", type: 14, model: "claude-opus-4-8", seal: SEAL.other },
  { name: "Gemini", type: 24, model: "gemini-3.8-flash", seal: SEAL.other },
];

const PDF = [
  "%PDF-1.4",
  "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
  "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
  "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj",
  "trailer<</Root 1 0 R>>",
  "%%EOF",
  "",
].join("\n");

/** What lies in the folder, and what an upstream must see of it once it was read. */
const FILES: Readonly<Record<FileKind, { name: string; bytes: Buffer; seen: RegExp }>> = {
  note: { name: "note.txt", bytes: Buffer.from("The lamp is green.\n"), seen: /The lamp is green\./ },
  // Agents may draw pictures again: as PNG or as JPEG.
  picture: { name: "picture.png", bytes: Buffer.from(PNG, "base64"), seen: /"[^"]*(?:iVBORw0KGgo|\/9j\/)/ },
  document: {
    name: "manual.pdf",
    bytes: Buffer.from(PDF),
    seen: new RegExp(Buffer.from(PDF).toString("base64").slice(0, 40)),
  },
};

const LAST_WORDS = "All of it was read: the lamp is green.";
const QUOTA = 10_000_000;

let stage: Stage;
let relay: RecordingRelay;
/** Each run has a user of its own, so that the log holds nothing else. */
let runs = 0;

beforeAll(async () => {
  stage = await startStage();
  relay = await startRecordingRelay(stage.server.url);
  const ratios = Object.fromEntries(UPSTREAMS.map(({ model }) => [model, 1]));
  await stage.setOption("ModelRatio", JSON.stringify(ratios));
  for (const { type, model } of UPSTREAMS) {
    await addChannel(stage.root, { type, base_url: stage.upstream.url, models: model });
  }
});

afterAll(async () => {
  await relay?.close();
  await stage?.close();
});

beforeEach(() => {
  stage.upstream.reset();
  relay.forget();
});

describe.each(AGENTS)("$name", (agent) => {
  let packages: string;

  beforeAll(async () => {
    packages = await installAgent(agent);
  }, 300_000);

  const upstreams = UPSTREAMS.filter(({ name }) => agent.worksWith?.includes(name) ?? true);

  it.each(upstreams)("works with $name upstreams", async ({ name, model, seal }) => {
    runs += 1;
    const account = await stage.addAccount(`agent${runs}`, QUOTA);
    const home = mkdtempSync(join(tmpdir(), "tollgate-agent-"));
    const folder = join(home, "work");
    await mkdir(folder);
    for (const file of Object.values(FILES)) writeFileSync(join(folder, file.name), file.bytes);

    const uses = agent.reads.map((kind) => agent.read(kind, join(folder, FILES[kind].name)));
    let serial = 0;
    const usages: [number, number][] = [];
    const answer = ({ body }: RecordedRequest): UpstreamScript => {
      serial += 1;
      const usage = { input: 1000 + serial, output: 50 + serial };
      usages.push([usage.input, usage.output]);
      const { toolNames, resultCount } = readRequest(body);
      // Agents also ask for titles and the like.
      if (!toolNames.includes(uses[0]?.name ?? "")) return { text: "Reading files", usage };
      const use = uses[resultCount];
      if (!use) return { text: LAST_WORDS, reasoning: "I know enough.", usage };
      return {
        // Some models explain themselves before a call, others call at once.
        ...(resultCount === 0 ? { text: "I look.", pieces: 1 } : {}),
        reasoning: `Thought ${resultCount}.`,
        toolCalls: [{ id: `call_${resultCount}`, name: use.name, arguments: JSON.stringify(use.arguments) }],
        usage,
      };
    };
    stage.upstream.reply(answer);

    const task = {
      url: relay.url,
      key: account.key,
      model,
      home,
      folder,
      prompt: "What colour has the lamp?",
    };
    const run = await runAgent(agent.prepare(task, packages), task);
    const seen = {
      run,
      exchanges: relay.exchanges,
      upstream: stage.upstream.requests.map(
        ({ path, body }) => `${path} ${JSON.stringify(readRequest(body))}`,
      ),
    };
    rmSync(home, { recursive: true, force: true });

    expect(run.status, JSON.stringify(seen, null, 1)).toBe(0);
    expect(run.stdout).toContain(LAST_WORDS);
    expect(relay.exchanges.filter(({ status }) => status >= 400)).toEqual([]);
    const last = stage.upstream.requests.findLast(
      ({ body }) => readRequest(body).resultCount === agent.reads.length,
    );
    const text = JSON.stringify(last?.body);
    for (const kind of agent.reads) expect(text).toMatch(FILES[kind].seen);
    if (seal !== undefined && agent.keepsSealsOf.includes(name)) expect(text).toContain(seal);
    const lines = await account.usage();
    expect(lines.map((line) => [line.prompt_tokens, line.completion_tokens]).sort()).toEqual(usages.sort());
    const { user } = await account.figures();
    expect(QUOTA - user.quota).toBe(lines.reduce((sum, { quota }) => sum + quota, 0));
  });
});
