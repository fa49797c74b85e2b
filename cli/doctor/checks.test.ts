import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Channel } from "@tollgate/contract/api/channels";
import { CHANNEL_DISABLED_BY_HAND, CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkClock } from "./check-clock";
import { checkDisk } from "./check-disk";
import { checkFolder } from "./check-folder";
import { checkPrices } from "./check-prices";
import { checkUpstreams, reach } from "./check-upstreams";

const NOW = 1_800_000_000;

describe("the clock", () => {
  it.each([
    ["no line and no database", {}, []],
    ["a line of now", { newestTime: NOW + 30 }, []],
    ["a line of last year", { newestTime: NOW - 31_536_000 }, []],
    ["a line of half an hour from now", { newestTime: NOW + 1800 }, [/30 minutes ahead/]],
    ["a line of tomorrow", { newestTime: NOW + 86_400 }, [/24 hours ahead/]],
    ["a database that is as late", { databaseTime: NOW - 30 }, []],
    ["a database that is later", { databaseTime: NOW + 300 }, [/differ by 5 minutes/]],
    ["a database that is earlier", { databaseTime: NOW - 300 }, [/differ by 5 minutes/]],
  ])("with %s", (_, times, texts) => {
    const remarks = checkClock({ newestTime: undefined, databaseTime: undefined, ...times }, NOW);
    expect(remarks).toEqual(texts.map((text) => ({ isFault: true, text: expect.stringMatching(text) })));
  });
});

describe("the disk", () => {
  it.each([
    [10_000_000_000, undefined, []],
    [1_500_000_000, undefined, [{ isFault: false, text: "1500 MB are left on the disk of /data." }]],
    [1_500_000_000, 12, [{ isFault: true, text: "the file system of /data takes only 12 files more." }]],
    [150_000_000, 10_000, [{ isFault: true, text: expect.stringContaining("nearly full: 150 MB are left") }]],
  ])("with %i bytes and %s files left", (freeBytes, freeFiles, remarks) => {
    expect(checkDisk("/data", { freeBytes, freeFiles })).toEqual(remarks);
  });
});

describe("the data folder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tollgate-doctor-"));
    chmodSync(folder, 0o700);
    writeFileSync(join(folder, "tollgate.db"), "", { mode: 0o600 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is in order where it is its owner's alone", () => {
    expect(checkFolder(folder)).toEqual([]);
  });

  it("is not where others may read a file, or enter", () => {
    writeFileSync(join(folder, "copy"), "");
    chmodSync(join(folder, "copy"), 0o640);
    chmodSync(folder, 0o755);
    expect(checkFolder(folder).map(({ text }) => text)).toEqual([
      expect.stringContaining(`${folder} has the mode 755`),
      expect.stringContaining(`${join(folder, "copy")} has the mode 640`),
    ]);
  });

  it("may be a link to where it is, as systemd makes one", () => {
    const link = join(mkdtempSync(join(tmpdir(), "tollgate-link-")), "tollgate");
    symlinkSync(folder, link);
    expect(checkFolder(link)).toEqual([]);
    rmSync(dirname(link), { recursive: true });
  });

  it("is rejected when another user owns it", () => {
    expect(checkFolder(folder, 12345).map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/belongs to the user \d+, not to 12345/),
    );
  });
});

const channelOf = (id: number, more: Partial<Channel>): Channel =>
  ({ id, type: 1, status: CHANNEL_ENABLED, baseUrl: "", proxy: "", ...more }) as Channel;

describe("upstreams", () => {
  it("are connected to once for each address, those of enabled channels alone, through their proxies", async () => {
    const asked: string[] = [];
    const { remarks } = await checkUpstreams(
      [
        channelOf(1, {}),
        channelOf(2, {}),
        channelOf(3, { baseUrl: "http://10.0.0.1:8080/v1" }),
        channelOf(4, { baseUrl: "http://10.0.0.2", proxy: "http://proxy:3128" }),
        channelOf(5, { baseUrl: "http://10.0.0.3", status: CHANNEL_DISABLED_BY_HAND }),
        channelOf(6, { type: 42 }),
      ],
      async ({ origin }) => {
        asked.push(origin);
        return origin === "http://10.0.0.1:8080" ? "ECONNREFUSED" : undefined;
      },
    );
    expect(asked.sort()).toEqual(["http://10.0.0.1:8080", "http://proxy:3128", "https://api.openai.com"]);
    expect(remarks).toEqual([
      { isFault: true, text: "http://10.0.0.1:8080 cannot be reached (ECONNREFUSED); channels 3 go there." },
    ]);
  });

  it("are not all connected to at once, and each of them is", async () => {
    let [open, most, asked] = [0, 0, 0];
    await checkUpstreams(
      Array.from({ length: 100 }, (_, id) => channelOf(id, { baseUrl: `http://10.0.0.${id}` })),
      async () => {
        asked += 1;
        open += 1;
        most = Math.max(most, open);
        await new Promise((done) => setImmediate(done));
        open -= 1;
        return undefined;
      },
    );
    expect({ asked, most }).toEqual({ asked: 100, most: 16 });
  });

  it("are reachable while a server listens, and unreachable once it has closed", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    const { port } = server.address() as { port: number };
    expect(await reach(new URL(`http://127.0.0.1:${port}`))).toBeUndefined();
    await new Promise((done) => server.close(done));
    expect(await reach(new URL(`http://127.0.0.1:${port}`))).toBe("ECONNREFUSED");
  });
});

describe("the prices of offered models", () => {
  const channel = (id: number, models: string, mapping = "") => ({ id, name: `c${id}`, models, mapping });

  it("are noted where they are missing, and are no fault", async () => {
    const channels = [channel(1, "gpt-4o,mine"), channel(2, "theirs", '{"theirs":"yours"}')];
    expect(await checkPrices({ options: [], channels }, NOW * 1000)).toEqual([
      { isFault: false, text: expect.stringContaining("prices missing for offered models: mine, yours. ") },
    ]);
    const options = [{ key: "FallbackModelRatio", value: "15" }];
    expect(await checkPrices({ options, channels }, NOW * 1000)).toEqual([]);
  });

  it("are noted of ten models by name", async () => {
    const models = Array.from({ length: 12 }, (_, number) => `m-${number}`).join(",");
    const [remark] = await checkPrices({ options: [], channels: [channel(1, models)] }, NOW * 1000);
    expect(remark?.text).toContain(" and 2 more. ");
  });
});
