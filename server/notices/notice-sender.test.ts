import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NoticeTargetRecord } from "@tollgate/contract/records/notice-record";
import { CHANNEL_DISABLED_AUTOMATICALLY } from "@tollgate/contract/values/statuses";
import type { UpstreamTarget } from "@tollgate/relay/ports/directory";
import { type OpenStores, openStores } from "@tollgate/storage/testing/open-stores";
import { moved, newUser } from "@tollgate/storage/testing/sample-records";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Mail } from "../management-api/mailer";
import { Options } from "../state/options";
import { NoticeSender, SETTLE_SECONDS } from "./notice-sender";
import { createNoticeWatch } from "./notice-watch";
import { createNotices, type Notices } from "./notices";

let folder: string;
let stores: OpenStores;
let options: Options;
let notices: Notices;
let senders: NoticeSender[];
let seconds: number;
/** Received notices: title and text. */
let told: string[];
let mails: Mail[];
let status: number;
/** Channels that are switched off. */
let off: Set<number>;
let failures: number;

const write = () => stores.writer.repositories.notices;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-notices-"));
  stores = await openStores(join(folder, "tollgate.db"));
  const { writer, reader } = stores;
  options = await Options.load(reader.repositories, writer.repositories);
  seconds = 1_000_000;
  told = [];
  mails = [];
  status = 200;
  off = new Set();
  failures = 0;
  const mailer = {
    isConfigured: () => true,
    async send(mail: Mail) {
      mails.push(mail);
    },
  };
  const logger = pino({ level: "silent" });
  notices = createNotices({
    read: reader.repositories.notices,
    write: {
      async raise(raised) {
        if (failures > 0) {
          failures -= 1;
          throw new Error("the disk is full");
        }
        return write().raise(raised);
      },
      resolve: (key, at) => write().resolve(key, at),
    },
    options,
    mailer,
    logger,
    now: () => seconds,
    onWaiting: () => {},
    retryMs: [1, 1, 1],
  });
  const nowMs = (): number => seconds * 1000;
  const keysOutOfUse = () =>
    [...off].map((id) => ({ channel: { id, status: CHANNEL_DISABLED_AUTOMATICALLY } }) as UpstreamTarget);
  senders = [1, 2].map(
    () =>
      new NoticeSender({
        read: reader.repositories,
        write: write(),
        exclusively: (_job, step) => step(),
        options,
        mailer,
        isMailConfigured: mailer.isConfigured,
        watch: createNoticeWatch({
          read: reader.repositories,
          write: write(),
          channels: { keysOutOfUse },
          remindBelow: () => 1000,
          onBelowOwn: (userId, quota) =>
            notices.raise({ event: "balance-low", subject: userId, userId, params: { quota } }),
          upstreamBelow: () => 0,
          quotaPerUnit: () => 500_000,
          nowMs,
        }),
        nowMs,
        async post(_url, { body }) {
          const { data } = JSON.parse(body);
          told.push(`${data.title}|${data.text}`);
          return { status, text: "" };
        },
        reportError: (error) => {
          throw error;
        },
      }),
  );
});

afterEach(() => {
  stores.close();
  rmSync(folder, { recursive: true });
});

/** All nodes do their job at once, after some time. */
const pass = async (later: number): Promise<void> => {
  seconds += later;
  await notices.stored();
  await Promise.all(senders.map((sender) => sender.job.run(() => false)));
};

const addTarget = async ({
  owner = "site",
  ...more
}: Partial<NoticeTargetRecord> = {}): Promise<NoticeTargetRecord> => {
  const target = await write().addTarget(
    owner,
    {
      kind: "webhook",
      name: "ops",
      isEnabled: true,
      language: "en",
      events: ["channel-disabled", "key-disabled", "balance-low", "user-created"],
      fields: { address: "https://a.test/hook", secret: "" },
      createdTime: 1,
      ...more,
    },
    50,
  );
  if (!target) throw new Error("no target was made");
  return target;
};

const CHANNEL = { id: 7, name: "one" };

describe("an incident", () => {
  it("is told once by two nodes, however often the channel comes and goes, and once that it is over", async () => {
    await addTarget();
    for (let round = 0; round < 20; round += 1) {
      off.add(7);
      notices.channelDisabled(CHANNEL, "401");
      notices.channelDisabled(CHANNEL, "401");
      await pass(5);
      off.delete(7);
      notices.channelEnabled(CHANNEL);
      await pass(100);
    }
    expect(told).toEqual(["Channel “one” (#7) was switched off|Channel “one” (#7) was switched off: 401"]);
    await pass(SETTLE_SECONDS);
    await pass(60);
    expect(told.slice(1)).toEqual(["Channel “one” (#7) is in use again|Channel “one” (#7) is in use again"]);
    off.add(7);
    notices.channelDisabled(CHANNEL, "401");
    await pass(5);
    expect(told).toHaveLength(3);
  });

  it("ends by itself without a report of its end, and continues after a wrong report", async () => {
    await addTarget();
    off.add(7);
    notices.keyDisabled(CHANNEL, "401");
    await pass(5);
    notices.resolve("key-disabled", 7);
    await pass(61);
    await pass(SETTLE_SECONDS + 61);
    expect(told).toHaveLength(1);
    off.delete(7);
    await pass(61);
    await pass(SETTLE_SECONDS);
    expect(told[1]).toMatch(/all keys are in use again/);
  });

  it("of a balance ends when there is enough again, and the next one is told", async () => {
    const { users } = stores.writer.repositories;
    const { user } = await users.create(newUser({ quota: 10 }), 0, []);
    await addTarget({ owner: user.id });
    notices.quotaLow(user.id, 10);
    notices.quotaLow(user.id, 9);
    await pass(5);
    await users.change(user.id, { quotaMove: moved(5000) });
    await pass(61);
    await pass(SETTLE_SECONDS);
    await pass(61);
    notices.quotaLow(user.id, 8);
    await pass(5);
    expect(told.map((each) => each.split("|")[1])).toEqual([
      "Your quota is nearly used up: 10 is left. Top up in time to go on without a break.",
      "Your quota is nearly used up: 8 is left. Top up in time to go on without a break.",
    ]);
  });

  it("of a balance is told by the threshold that its owner set, and not by the site's", async () => {
    const { users } = stores.writer.repositories;
    const { user } = await users.create(newUser({ quota: 900 }), 0, []);
    await addTarget({ owner: user.id });
    await write().setRemindBelow(user.id, 50);
    notices.quotaLow(user.id, 900);
    await pass(61);
    expect(told).toEqual([]);
    await users.change(user.id, { quotaMove: moved(-860) });
    for (let look = 0; look < 4; look += 1) await pass(61);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("40 is left");
    await write().setRemindBelow(user.id, 0);
    await pass(61);
    await pass(SETTLE_SECONDS);
    await users.change(user.id, { quotaMove: moved(-39) });
    await pass(61);
    await pass(61);
    expect(told).toHaveLength(1);
  });

  it("is stored when the database takes it again, in its order", async () => {
    await addTarget();
    failures = 3;
    notices.channelDisabled(CHANNEL, "401");
    await pass(5);
    expect(told).toHaveLength(1);
  });

  it("that storage refuses again and again is given up, and holds up nothing", async () => {
    await addTarget();
    failures = 4;
    notices.channelDisabled(CHANNEL, "401");
    notices.channelDisabled({ id: 8, name: "two" }, "401");
    off.add(8);
    await pass(5);
    expect(told).toEqual([expect.stringContaining("two")]);
    failures = 1;
    notices.channelDisabled({ id: 9, name: "three" }, "401");
    await notices.close();
    expect(await stores.reader.repositories.notices.open()).toMatchObject([{ subject: "8" }]);
  });
});

describe("a notice", () => {
  it("is tried again after longer and longer times, and then given up", async () => {
    await addTarget();
    status = 503;
    notices.raise({ event: "user-created", subject: 1, params: { id: 1, username: "eve" } });
    for (let minute = 0; minute < 60; minute += 1) await pass(60);
    expect(told).toHaveLength(5);
    const [line] = await stores.reader.repositories.notices.sent("site", 0, 9);
    expect(line).toMatchObject({ state: "failed", fault: "status", status: 503, attempts: 5 });
  });

  it("that is refused for good is tried once", async () => {
    await addTarget();
    status = 404;
    notices.raise({ event: "user-created", subject: 1, params: { id: 1, username: "eve" } });
    for (let minute = 0; minute < 10; minute += 1) await pass(60);
    expect(told).toHaveLength(1);
  });

  it("has names on its line alone, cut, with nothing that is not seen", async () => {
    await addTarget();
    const username = `eve\n\nYour account: https://evil.test\u202e\u0000${"x".repeat(500)}`;
    notices.raise({ event: "user-created", subject: 1, params: { id: 1, username } });
    await pass(5);
    const text = told[0] ?? "";
    expect(text).not.toMatch(/\p{C}/u);
    expect(text).toContain("eve Your account: https://evil.test");
    expect(text.length).toBeLessThan(600);
  });

  it("is said in the language of its target", async () => {
    await addTarget({ language: "zh-TW" });
    notices.channelDisabled(CHANNEL, { code: "response-too-slow", params: { time: "9", limit: "5" } });
    await pass(5);
    expect(told[0]).toMatch(/^通道「one」（#7）已被停用\|.*9.*5/);
  });

  it("by e-mail has names escaped", async () => {
    await stores.writer.repositories.users.create(
      newUser({ role: 100, email: "root@example.com", username: "root" }),
      0,
      [],
    );
    notices.channelDisabled({ id: 7, name: '<img src=x onerror="alert(1)">' }, "<script>");
    await pass(5);
    expect(mails.map(({ to }) => to)).toEqual(["root@example.com"]);
    expect(mails[0]?.html).not.toMatch(/<img|<script/);
  });

  it("goes to a user's own address alone, whatever is stored as one", async () => {
    const { user } = await stores.writer.repositories.users.create(
      newUser({ email: "own@example.com" }),
      0,
      [],
    );
    await addTarget({ owner: user.id, kind: "email", fields: { to: "victim@example.com" } });
    notices.quotaLow(user.id, 5);
    await pass(5);
    expect(mails.map(({ to }) => to)).toEqual(["own@example.com"]);
  });
});

it("is tried by hand, and written down", async () => {
  const target = await addTarget();
  expect(await senders[0]?.test(target)).toMatchObject({ state: "sent", status: 200 });
  expect(told).toEqual(["Test|This is a test. Notices to “ops” arrive."]);
  expect(await stores.reader.repositories.notices.sent("site", 0, 9)).toMatchObject([
    { event: "test", state: "sent", targetName: "ops" },
  ]);
});
