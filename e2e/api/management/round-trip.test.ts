import {
  changeAnnouncement,
  createAnnouncement,
  listAnnouncements,
} from "@tollgate/contract/api/announcements";
import { changeApiKey, createApiKey, KEY_SETTINGS, listApiKeys } from "@tollgate/contract/api/api-keys";
import { changeChannel, createChannels, listChannels } from "@tollgate/contract/api/channels";
import { siteNotices } from "@tollgate/contract/api/notices";
import { changePlan, createPlan, listPlans } from "@tollgate/contract/api/plans";
import { changePromotion, createPromotions, listPromotions } from "@tollgate/contract/api/promotions";
import { changeRedemption, createRedemptions, listRedemptions } from "@tollgate/contract/api/redemptions";
import { changeUser, createUser, listUsers } from "@tollgate/contract/api/users";
import { TIME_LIMITS } from "@tollgate/contract/management/time-limits";
import type { Endpoint } from "@tollgate/contract/resource/endpoint";
import { limitNames } from "@tollgate/contract/resource/limits";
import { addApiKey } from "@tollgate/demo/build-world";
import { DECLARED_ENDPOINTS } from "@tollgate/testkit/declared-endpoints";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { succeed } from "./client";
import { type ManagementWorld, startManagementWorld } from "./management-world";

/*
 * Every field that a call declares goes there and back. Settings of API keys are tried by their kind, so a new one is tried without
 * a line here; a field of another resource that has no values here fails, and so does a resource that is not listed.
 */

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld();
  // Models that keys choose must be offered.
  const channel = {
    type: 1,
    name: "offers",
    key: "k",
    models: "round-trip-1,round-trip-2",
    group: "default,thrifty",
  };
  await succeed(world.root.api("POST", "/api/channel/", channel));
  const groups = { key: "UserUsableGroups", value: '{"thrifty":""}' };
  await succeed(world.root.api("PUT", "/api/option/", groups));
});

afterAll(() => world?.stop());

interface Declared {
  readonly name: string;
  readonly kind: string;
  readonly options: readonly string[];
}

type Values = readonly [first: unknown, then: unknown, unset: unknown];

/** Values of settings that do not take any text. */
const FITTING: Readonly<Record<string, Values>> = {
  // They permit the models below.
  models: ["round-trip-1,round-trip-2", "round-trip-2,round-trip-1", ""],
  subnet: ["10.0.0.0/8", "203.0.113.7,192.168.0.0/16", ""],
  group: ["auto", "default", ""],
  auto_groups: ["default", "default", ""],
  budget_group: ["thrifty", "thrifty", ""],
  budget_model: ["round-trip-1", "round-trip-2", ""],
  model_aliases: ['{"别名":"m"}', '{"a":"m","b-*":"n"}', ""],
};

const valuesOf = ({ name, kind, options }: Declared): Values => {
  const fitting = FITTING[name];
  if (fitting) return fitting;
  if (kind === "flag") return [true, true, false];
  if (kind === "choice") return [options[0], options.at(-1), ""];
  return kind === "list" ? ["a,b", "c", ""] : ["first · 第一", "then, \"quoted\" 'text'", ""];
};

const SETTINGS: readonly (readonly [name: string, values: Values])[] = Object.values(KEY_SETTINGS).map(
  (declared) => [declared.name, valuesOf(declared)],
);

type Wire = Readonly<Record<string, unknown>>;

describe("a setting of an API key", () => {
  it.each(SETTINGS)("%s is kept from its creation on, changed and taken away", async (name, values) => {
    const { user } = world;
    const [first, then, unset] = values;
    const { id } = await addApiKey(user, { name: "round trip", [name]: first });
    const edit = (more: Wire) => succeed(user.api("PUT", "/api/token/", { id, ...more }));
    const read = async (): Promise<unknown[]> => {
      const one = await succeed<Wire>(user.api("GET", `/api/token/${id}`));
      const page = await succeed<Wire[]>(user.api("GET", "/api/token/?p=0"));
      const found = await succeed<Wire[]>(user.api("GET", "/api/token/search?keyword=round"));
      return [one, ...page, ...found].filter((token) => token.id === id).map((token) => token[name]);
    };
    expect(await read()).toEqual([first, first, first]);
    // An edit of another field leaves it.
    await edit({ name: "round trip, too" });
    expect(await read()).toEqual([first, first, first]);
    await edit({ [name]: then });
    expect(await read()).toEqual([then, then, then]);
    await edit({ [name]: unset });
    expect(await read()).toEqual([undefined, undefined, undefined]);
  });
});

interface Resource {
  readonly name: string;
  readonly create: Endpoint;
  readonly change: Endpoint;
  readonly list: Endpoint;
  /** Its owner, where that is not root. */
  readonly owner?: "user";
  /** A value of each field, and another one. */
  readonly values: Readonly<Record<string, readonly [first: unknown, then: unknown]>>;
  /** Fields that no list answers, with the reason. */
  readonly unlisted: Readonly<Record<string, string>>;
  /** Fields that its creation needs besides, and those that a change of an address needs. */
  readonly createdWith?: Wire;
  readonly changedWith?: Wire;
}

const LIMITS = {
  rpm: [60, 90],
  tpm: [1000, 2000],
  concurrency: [3, 4],
} as const;

const QUOTA_LIMITS = {
  daily_quota: [500, 600],
  monthly_quota: [5000, 6000],
  rpd: [700, 800],
  five_hour_quota: [50, 60],
  weekly_quota: [2000, 3000],
  window_quota: [70, 80],
  window_hours: [48, 720],
  soft_budgets: [1, 1],
  extra_quota: [40, 50],
} as const;

const calendarOf = (from: string): string =>
  JSON.stringify({ timeZone: "Asia/Shanghai", hours: [{ days: [1, 2], from, to: "24:00" }] });

const RESOURCES: readonly Resource[] = [
  {
    name: "key",
    create: createApiKey,
    change: changeApiKey,
    list: listApiKeys,
    owner: "user",
    values: {
      name: ["round trip", "往返, %"],
      status: [1, 2],
      remain_quota: [500, 700],
      expired_time: [4_000_000_000, -1],
      unlimited_quota: [false, true],
      ...Object.fromEntries(SETTINGS.map(([name, [first, then]]) => [name, [first, then]])),
      ...LIMITS,
      ...QUOTA_LIMITS,
    },
    unlisted: { id: "names the key", original_remain_quota: "says what the page showed" },
  },
  {
    name: "channel",
    create: createChannels,
    change: changeChannel,
    list: listChannels,
    values: {
      type: [1, 8],
      name: ["round trip", "round trip · 往返"],
      models: ["model-a,model-b", "model-c"],
      base_url: ["https://one.example", "https://two.example/v1"],
      other: ["first", "then"],
      group: ["default", "default,vip"],
      model_mapping: ['{"model-a":"b"}', '{"model-c":"d"}'],
      priority: [3, -2],
      weight: [2, 5],
      status: [1, 2],
      proxy: ["http://proxy.example:3128", "http://other.example:3128"],
      buying_prices: [
        '{"default":{"of":"list","factor":0.5},"rules":[]}',
        '{"default":{"of":"list","factor":0.7},"rules":[]}',
      ],
      tag: ["first", "then"],
      test_model: ["model-a", "model-c"],
      skip_tests: [true, false],
      calendar: [calendarOf("08:00"), calendarOf("09:30")],
      overrides: ['{"body":{"set":{"seed":1}}}', '{"body":{"set":{"seed":2}}}'],
      ...LIMITS,
      key_rpm: [5, 6],
      key_tpm: [500, 600],
      key_concurrency: [1, 2],
      ...Object.fromEntries(limitNames(TIME_LIMITS).map((name) => [name, [30, 60]])),
    },
    createdWith: { key: "sk-upstream" },
    changedWith: { key: "sk-upstream" },
    unlisted: { key: "is a secret", multi_key: "says how keys are read", id: "names the channel" },
  },
  {
    name: "user",
    create: createUser,
    change: changeUser,
    list: listUsers,
    values: {
      username: ["round-trip", "round-trip-2"],
      display_name: ["first", "然后"],
      role: [1, 10],
      group: ["default", "vip"],
      quota: [500, 700],
      model_aliases: ['{"别名":"m"}', '{"a":"m","b-*":"n"}'],
      ...LIMITS,
      ...QUOTA_LIMITS,
    },
    createdWith: { password: "password-1" },
    // One without the other is refused.
    changedWith: { window_quota: 70, window_hours: 48 },
    unlisted: {
      password: "is a secret",
      original_quota: "says what the page showed",
      permission_set: "permissions.test.ts gives and takes it",
      id: "names the user",
    },
  },
  {
    name: "redemption code",
    create: createRedemptions,
    change: changeRedemption,
    list: listRedemptions,
    values: {
      name: ["round trip", "往返"],
      quota: [500, 700],
      expired_time: [4_000_000_000, 4_100_000_000],
      max_uses: [3, 5],
      status: [1, 2],
    },
    unlisted: { count: "says how many are made", id: "names the code" },
  },
  {
    name: "promotion",
    create: createPromotions,
    change: changePromotion,
    list: listPromotions,
    createdWith: { kind: "code" },
    values: {
      name: ["round trip", "往返"],
      is_enabled: [true, false],
      effect: ["discount", "bonus"],
      unit: ["percent", "quota"],
      steps: [[{ from: 0, value: 1000 }], [{ from: 5, value: 700 }]],
      max_effect: [500, 700],
      products: ["top-up", "top-up,plan"],
      groups: ["vip", "default"],
      is_first_only: [true, false],
      is_combinable: [true, false],
      starts_at: [1000, 2000],
      ends_at: [4_000_000_000, 4_100_000_000],
      max_uses: [3, 5],
      max_uses_per_user: [1, 2],
      max_total: [5000, 7000],
    },
    unlisted: { kind: "stays", code: "stays", count: "says how many are made" },
  },
  {
    name: "plan",
    create: createPlan,
    change: changePlan,
    list: listPlans,
    values: {
      title: ["round trip", "往返"],
      description: ["first", "then"],
      price: [500, 700],
      duration_unit: ["month", "week"],
      duration_count: [1, 2],
      quota: [5000, 7000],
      reset: ["never", "day"],
      group: ["vip", "default"],
      beyond: ["balance", "stop"],
      max_per_user: [1, 2],
      is_enabled: [true, false],
      sort_order: [1, 2],
      ...LIMITS,
      ...QUOTA_LIMITS,
    },
    unlisted: {},
  },
  {
    name: "announcement",
    create: createAnnouncement,
    change: changeAnnouncement,
    list: listAnnouncements,
    values: {
      title: ["round trip", "往返 👩‍💻"],
      body: ["# first\n\ttext", '<img src=x onerror="alert(1)"> then'],
      level: ["info", "warning"],
      is_pinned: [true, false],
      // Guests see no announcement of a group.
      groups: ["", "default,vip"],
      is_public: [false, true],
      starts_at: [1000, 2000],
      ends_at: [4_000_000_000, 0],
    },
    unlisted: {},
  },
  {
    name: "notification target",
    create: siteNotices.createTarget,
    change: siteNotices.changeTarget,
    list: siteNotices.listTargets,
    values: {
      kind: ["webhook", "webhook"],
      name: ["round trip", "往返"],
      is_enabled: [true, false],
      language: ["zh-CN", "en"],
      events: [["channel-disabled"], ["backup-failed"]],
      fields: [{ address: "https://one.example/hook" }, { address: "https://two.example/?a=%20" }],
    },
    changedWith: { kind: "webhook" },
    unlisted: {},
  },
];

/** Changes that are no edit of a resource's fields. */
const OTHER_CHANGES: Readonly<Record<string, string>> = {
  "/api/channel/balance": "types in one number",
  "/api/invoice/titles/:id": "invoices.test.ts changes a title",
  "/api/option/": "options.test.ts tries every option",
  "/api/price-drafts/:id": "replaces a whole draft, of which storage/accounts tests the revisions",
  "/api/permission-set/:set": "permissions.test.ts changes a set",
  "/api/prices/lock": "is one switch",
  "/api/prices/rules": "replaces a rule in the text of an option (customer-prices.test.ts)",
  "/api/sign-in-provider/:id": "sign-in-providers.test.ts changes a provider",
  "/api/subscription/:id/renews": "is one switch",
  "/api/user/notice/threshold": "is one number",
  "/api/user/notice/way/:id": "has the body of the site's targets",
  "/api/user/passkey/:id": "is one name",
  "/api/user/self": "edits one's own user, whose fields the user has",
};

/** The names on the wire that the body of a call takes. */
const fieldsOf = ({ body }: Endpoint): string[] => {
  const schema = body as unknown as { def: { in?: { shape: object } }; shape?: object };
  return Object.keys(schema.def.in?.shape ?? schema.shape ?? {});
};

const parsed = (value: unknown): unknown => {
  if (typeof value !== "string" || !value.startsWith("{")) return value;
  return JSON.parse(value);
};

it("tries each resource that a call changes, or says why not", () => {
  const changes = DECLARED_ENDPOINTS.filter(({ method }) => method === "PUT").map(({ path }) => path);
  const tried = [...RESOURCES.map(({ change }) => change.path), ...Object.keys(OTHER_CHANGES)];
  expect(changes.sort()).toEqual(tried.sort());
});

describe.each(RESOURCES)("a $name", (resource) => {
  const { create, change, list, values, unlisted, createdWith, changedWith, owner = "root" } = resource;
  const one = `${list.path.replace(/\/$/, "")}/:id`;
  const isRead = DECLARED_ENDPOINTS.some(({ method, path }) => method === "GET" && path === one);
  const taken = (endpoint: Endpoint): Wire =>
    Object.fromEntries(
      fieldsOf(endpoint)
        .filter((field) => field in values)
        .map((field) => [field, values[field]?.[0]]),
    );
  /** As the list has it, and as it is read by itself. */
  const newest = async (): Promise<Wire[]> => {
    const { api } = world[owner];
    const rows = await succeed<Wire[]>(api("GET", `${list.path}?p=0`));
    const [row] = [...rows].sort((a, b) => Number(b.id) - Number(a.id));
    if (!row) throw new Error("the list is empty");
    return isRead ? [row, await succeed<Wire>(api("GET", one.replace(":id", String(row.id))))] : [row];
  };
  const expectStored = async (fields: Wire): Promise<void> => {
    for (const stored of await newest())
      for (const [field, value] of Object.entries(fields))
        expect([field, parsed(stored[field])]).toEqual([field, parsed(value)]);
  };

  it("has values here for each field that its calls take", () => {
    const fields = [...new Set([...fieldsOf(create), ...fieldsOf(change)])];
    expect(fields.sort()).toEqual([...Object.keys(values), ...Object.keys(unlisted)].sort());
  });

  it("is listed and read as it was made, and changes field by field", async () => {
    const { api } = world[owner];
    await succeed(api("POST", create.path, { ...taken(create), ...createdWith }));
    const id = (await newest())[0]?.id;
    await expectStored(taken(create));
    for (const field of fieldsOf(change).filter((name) => name in values)) {
      const [first, then] = values[field] ?? [];
      const path = change.path.replace(":id", String(id));
      const isStatusOnly = field === "status" && "status_only" in (change.query ?? {});
      for (const value of [then, first]) {
        const body = { id, ...changedWith, [field]: value };
        await succeed(api("PUT", isStatusOnly ? `${path}?status_only=true` : path, body));
        await expectStored({ [field]: value });
      }
    }
  });
});
