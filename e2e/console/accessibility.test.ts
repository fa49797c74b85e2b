import { addApiKey, addChannel, addUser, demand } from "@tollgate/demo/build-world";
import { launchBrowser } from "@tollgate/testkit/browser";
import { someOf, TRIES_ALL } from "@tollgate/testkit/seeds";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import axe from "axe-core";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeOrder } from "./make-order";
import { enter, newVisit } from "./visitor";

/** What has the focus, where something else stands over its middle; "" where nothing does. Runs in the page. */
const HIDDEN_FOCUS = `(() => {
  const focused = document.activeElement;
  const { left, top, width, height } = focused.getBoundingClientRect();
  const seen = document.elementFromPoint(left + width / 2, top + height / 2);
  if (!seen || width <= 1 || height <= 1 || focused.contains(seen) || seen.contains(focused)) return "";
  return focused.closest("label")?.contains(seen) ? "" : focused.outerHTML.slice(0, 120);
})()`;

/**
 * Faults of a page on a phone: controls that a finger cannot hit, text that is cut with no way to read the rest, and
 * dates on two lines below a title. Links in a line of text are as high as the line. Runs in the page.
 */
const PHONE_FAULTS = `(() => {
  const LEAST_PX = 34;
  const isSeen = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
  };
  const reachOf = (element) => {
    const target = element.closest("label, .control") ?? element;
    const after = getComputedStyle(target, "::after");
    const beyond = after.position === "absolute" ? Number.parseFloat(after.height) || 0 : 0;
    return Math.max(target.getBoundingClientRect().height, beyond);
  };
  const isCut = (element) => {
    const { overflowX } = getComputedStyle(element);
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
    return hasText && /hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 1;
  };
  const CONTROLS = "button, select, summary, input:not([type=hidden], [type=file]), [role=switch]";
  const small = [...document.querySelectorAll(CONTROLS)]
    .filter((element) => isSeen(element) && reachOf(element) < LEAST_PX)
    .map((element) => "too small for a finger: " + element.outerHTML.slice(0, 160));
  const cut = [...document.querySelectorAll("main *")]
    .filter((element) => isSeen(element) && isCut(element))
    .filter((element) => !element.closest("[title], [aria-haspopup]") && !element.parentElement.querySelector("button"))
    .map((element) => "cut: " + element.outerHTML.slice(0, 160));
  const broken = [];
  for (const description of document.querySelectorAll("main header p")) {
    const textNodes = document.createTreeWalker(description, NodeFilter.SHOW_TEXT);
    for (let node = textNodes.nextNode(); node; node = textNodes.nextNode()) {
      for (const { 0: date, index } of node.data.matchAll(/\\d{4}-\\d\\d-\\d\\d/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + date.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) broken.push("a date on two lines: " + node.data.slice(0, 80));
      }
    }
  }
  return [...small, ...cut, ...broken];
})()`;

/** Everything that opens over a page, but not a message. */
const POPUP = ".floating:not(article)";

/** The topmost popup. Runs in the page. */
const TOP_POPUP = `[...document.querySelectorAll(${JSON.stringify(POPUP)})].filter((each) => each.checkVisibility()).at(-1)`;

/** Faults of the topmost popup: its place, its name and the focus. Runs in the page. */
const POPUP_FAULTS = `(() => {
  const popup = ${TOP_POPUP};
  const { left, top, right, bottom } = popup.getBoundingClientRect();
  const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  const inner = [...popup.querySelectorAll("*")].filter((each) => !each.closest(".sr-only, pre"));
  const wide = inner.find((each) => each.getBoundingClientRect().right > right + 1);
  const focused = document.activeElement;
  const isWindow = popup.matches("[role=dialog], [role=alertdialog]");
  return [
    ...(isInside ? [] : ["outside the screen"]),
    ...(wide ? ["wider than its popup: " + wide.outerHTML.slice(0, 160)] : []),
    ...(popup.contains(focused) || focused.role === "combobox" ? [] : ["without the focus"]),
    ...(isWindow && !popup.ariaLabel && !popup.hasAttribute("aria-labelledby") ? ["without a name"] : []),
  ];
})()`;

/** Every address of the specification (section 2), and the tabs of the settings. */
const ROUTES = {
  guest: [
    "/",
    "/login",
    "/login?expired=true",
    "/setup",
    "/register",
    "/register?aff=abcd",
    "/reset",
    "/user/reset",
    "/user/reset?email=a%40example.com&token=0123",
    "/oauth/github?code=c&state=s",
    "/about",
    "/no-such-page",
  ],
  root: [
    "/",
    "/dashboard",
    "/channel",
    "/channel/add",
    "/channel/edit/1",
    "/channel/buying/1",
    "/token",
    "/token/add",
    "/token/edit/1",
    "/token/connect",
    "/promotion",
    "/promotion/add",
    "/redemption",
    "/redemption/add",
    "/redemption/edit/1",
    "/user",
    "/user/add",
    "/user/edit",
    "/user/edit/2",
    "/topup",
    "/plan",
    "/announcement",
    "/setting/announcements",
    "/setting/announcements/add",
    "/setting/announcements/edit/1",
    "/plan/manage",
    "/plan/manage/add",
    "/plan/manage/edit/1",
    "/plan/subscribers",
    "/log",
    "/order",
    "/order/{order}",
    "/ledger",
    "/audit",
    "/invitation",
    "/invitation/manage",
    "/invoice",
    "/invoice/manage",
    "/ticket",
    "/ticket/add",
    "/ticket/manage",
    "/statement",
    "/log/receipt/no-such-request",
    "/node",
    "/setting/errors",
    "/setting/terms",
    "/setting/terms/add",
    "/setting/prices",
    "/pricing/rehearsal",
    "/playground",
    "/playground?tab=image",
    "/playground?tab=embedding",
    "/pricing",
    "/pricing/rules",
    "/profit",
    "/reconciliation",
    "/start",
    "/channel/comparison",
    "/user/2",
    "/channel/1",
    "/token/1",
    "/model/gpt-3.5-turbo",
    "/model/gpt-3.5-turbo?tab=connect",
    "/status",
    "/key",
    "/setting",
    "/setting?tab=operation",
    "/setting?tab=system",
    "/setting?tab=other",
    "/chat",
    "/channel?q=nothing",
  ],
  // Some settings are locked for administrators.
  manager: ["/setting?tab=operation", "/setting?tab=system"],
} as const;

const PLAN = {
  title: "Monthly",
  price: 100,
  quota: 50,
  duration_unit: "month",
  duration_count: 1,
  reset: "day",
  group: "",
  beyond: "balance",
  is_enabled: true,
};

type Who = keyof typeof ROUTES | "customer";

/** Pages on which a customer opens something. */
const ROUTES_OF_CUSTOMER = [
  "/",
  "/dashboard?range=own",
  "/announcement",
  "/token",
  "/token/add",
  "/token/edit/{key}",
  "/token/{key}",
  "/token/connect",
  "/topup",
  "/plan",
  "/log",
  "/order",
  "/ledger",
  "/audit",
  "/invitation",
  "/invoice",
  "/ticket",
  "/ticket/add",
  "/statement",
  "/pricing",
  "/model/gpt-3.5-turbo",
  "/user/edit",
  "/setting",
] as const;

const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** Widths with themes: each page in each width and in each theme; every night in all combinations. */
const LOOKS: readonly (readonly [width: number, theme: Theme])[] = [
  [1440, "light"],
  [390, "dark"],
  ...(TRIES_ALL
    ? ([
        [1440, "dark"],
        [390, "light"],
      ] as const)
    : []),
];

interface Finding {
  id: string;
  nodes: { html: string }[];
}

/** The number of an order, which stands for `{order}`, and the id of a customer's key, which stands for `{key}`. */
let order: string;
let customerKey: number;
let server: ServerProcess;
let browser: Browser;
const sessions: Partial<Record<Who, Awaited<ReturnType<BrowserContext["storageState"]>>>> = {};

const openContext = (who: Who, language = "zh-CN"): Promise<BrowserContext> =>
  browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: language,
    storageState: sessions[who],
    reducedMotion: "reduce",
    // Only the checker itself is let in.
    bypassCSP: true,
  });

const rememberSession = async (who: Exclude<Who, "guest">, password: string): Promise<void> => {
  const page = await newVisit(browser);
  await enter(page, server.url, who, password);
  sessions[who] = await page.context().storageState();
  await page.context().close();
};

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  const root = await server.signIn();
  await addChannel(root, { base_url: "http://127.0.0.1:9" });
  // With a limit, so that the form is checked with everything unfolded.
  await addApiKey(root, { rpm: 60 });
  await root.api("POST", "/api/redemption/", { name: "gift", quota: 1000, count: 1 });
  const customer = await addUser(root, server.signIn, "customer", { display_name: "S" });
  customerKey = (await addApiKey(customer, { rpm: 60 })).id;
  await addUser(root, server.signIn, "manager");
  await root.api("POST", "/api/user/manage", { username: "manager", action: "promote" });
  await root.api("PUT", "/api/option/", { key: "ChatLink", value: "http://127.0.0.1:9/chat" });
  await demand(root.api("POST", "/api/plan/", PLAN));
  await demand(root.api("POST", "/api/announcement/", { title: "News", body: "The site moves on Monday." }));
  order = await makeOrder(root, server.url);
  await rememberSession("root", "123456");
  await rememberSession("manager", "password-1");
  await rememberSession("customer", "password-1");
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

interface Question {
  /** What the answer calls the page. */
  where: string;
  /** Rules that may be broken. */
  forgiven?: readonly string[];
  /** The element that is checked, as the page's expression. */
  part?: string;
}

/** Rules of any weight that the page breaks as it stands. */
const findBroken = async (
  page: Page,
  { where, forgiven = [], part = "document" }: Question,
): Promise<string[]> => {
  const findings = (await page.evaluate(
    `axe.run(${part}, { resultTypes: ['violations'] }).then((result) => result.violations)`,
  )) as Finding[];
  return findings
    .filter(({ id }) => !forgiven.includes(id))
    .map(({ id, nodes }) => `${where}: ${id} ${nodes[0]?.html ?? ""}`);
};

/** Switches the theme, and lets the page paint itself again: a colour halfway has no contrast to speak of. */
const paint = async (page: Page, colorScheme: Theme): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))",
  );
};

const settle = async (page: Page): Promise<void> => {
  await page.locator("h1").first().waitFor();
  await page.waitForFunction("document.querySelector('.skeleton, [aria-busy=true]') === null");
};

const open = async (page: Page, route: string): Promise<void> => {
  await page.goto(server.url + route.replace("{order}", order).replace("{key}", String(customerKey)));
  await settle(page);
  await page.evaluate(axe.source);
};

/** Runs the checks of some routes two at a time: this machine's cores, not the network, are what they need. */
const checkRoutes = async (
  context: BrowserContext,
  routes: readonly string[],
  check: (page: Page, route: string) => Promise<string[]>,
): Promise<string[]> => {
  const waiting = [...routes];
  const found: string[] = [];
  const work = async (): Promise<void> => {
    const page = await context.newPage();
    for (let route = waiting.shift(); route !== undefined; route = waiting.shift()) {
      await open(page, route);
      found.push(...(await check(page, route)));
    }
  };
  await Promise.all([work(), work()]);
  return found;
};

/** Pages that open popups and windows of every kind. */
const ROUTES_WITH_POPUPS = [
  "/channel",
  "/channel/add",
  "/dashboard?range=own",
  "/order/{order}",
  "/plan/subscribers",
  "/pricing/rules",
  "/redemption",
  "/setting",
  "/token",
  "/token/add",
  "/user",
  "/user/edit/2",
];

const OPENERS = "main :is([aria-haspopup], [role=combobox]):enabled:visible:not([aria-disabled=true])";
const WINDOW_ENTRY = "[role=menuitem][aria-haspopup=dialog]:not([aria-disabled=true])";

/** Time in which a field with suggestions opens them, if it has any before the user types. */
const SUGGESTIONS_MS = 2000;

/** Time a popup has to take its place and the focus, and to give the focus back. */
const SETTLING_MS = 2000;

/** Faults that are still there after the time for settling. */
const findLasting = async (page: Page, find: () => Promise<string[]>): Promise<string[]> => {
  const endMs = performance.now() + SETTLING_MS;
  for (;;) {
    const found = await find();
    if (found.length === 0 || performance.now() > endMs) return found;
    await page.waitForTimeout(50);
  }
};

/** Faults of anything that opens on a phone. */
const faultsOnPhone = (page: Page): Promise<string[]> =>
  findLasting(page, () => page.evaluate<string[]>(`[...${POPUP_FAULTS}, ...${PHONE_FAULTS}]`));

/** Rules of accessibility that the topmost popup breaks, light or dark. */
const brokenInPopup = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  for (const theme of THEMES) {
    await paint(page, theme);
    found.push(...(await findBroken(page, { where: theme, part: TOP_POPUP })));
  }
  return found;
};

/** Opens everything that a page can open, and closes it by the keyboard. @returns what `inspect` finds wrong. */
const tryPopups = async (
  page: Page,
  route: string,
  inspect: (page: Page) => Promise<string[]>,
): Promise<string[]> => {
  const openers = page.locator(OPENERS);
  const popup = page.locator(POPUP).filter({ visible: true });
  const found: string[] = [];
  const check = async (opener: Locator, entry = ""): Promise<void> => {
    const faults = await inspect(page);
    await page.keyboard.press("Escape");
    await popup.first().waitFor({ state: "hidden" });
    const lost = await findLasting(page, async () =>
      (await opener.and(page.locator(":focus")).count()) === 1 ? [] : ["the focus does not return"],
    );
    const name = (await opener.getAttribute("aria-label")) ?? (await opener.textContent());
    found.push(...[...faults, ...lost].map((fault) => `${route} ${name} ${entry}: ${fault}`));
  };
  for (let at = 0; at < (await openers.count()); at += 1) {
    const opener = openers.nth(at);
    await opener.click();
    const isTyped = await opener.evaluate((element) => element.matches("input"));
    const opening = popup.first().waitFor(isTyped ? { timeout: SUGGESTIONS_MS } : {});
    const failure: unknown = await opening.then(
      () => undefined,
      (error) => error,
    );
    if (failure && isTyped) continue;
    if (failure) throw failure;
    const entries = await page.locator(WINDOW_ENTRY).allTextContents();
    await check(opener);
    for (const entry of entries) {
      await opener.click();
      await page.getByRole("menuitem", { name: entry, exact: true }).click();
      await popup.and(page.locator("[role=dialog], [role=alertdialog]")).waitFor();
      await check(opener, entry);
    }
  }
  return found;
};

describe("no rule of accessibility is broken", () => {
  it.each(Object.keys(ROUTES) as (keyof typeof ROUTES)[])(
    "by any page of a %s, light or dark, wide or narrow",
    async (who) => {
      const context = await openContext(who);
      const found = await checkRoutes(context, ROUTES[who], async (page, route) => {
        const all: string[] = [];
        for (const [width, theme] of LOOKS) {
          await page.setViewportSize({ width, height: 900 });
          await settle(page);
          await paint(page, theme);
          all.push(...(await findBroken(page, { where: `${route} (${width} px, ${theme})` })));
          if (width < 600) {
            const faults = (await page.evaluate(PHONE_FAULTS)) as string[];
            all.push(...faults.map((fault) => `${route} (${width} px): ${fault}`));
          }
        }
        await page.setViewportSize({ width: 1440, height: 900 });
        return all;
      });
      await context.close();
      expect(found).toEqual([]);
    },
  );

  it.each(["en", "zh-TW"])("by any page in %s", async (language) => {
    for (const who of ["guest", "root"] as const) {
      const context = await openContext(who, language);
      await context.addInitScript(`localStorage.setItem("language", "${language}")`);
      const found = await checkRoutes(context, someOf(ROUTES[who]), async (page, route) => [
        ...((await page.evaluate("document.documentElement.lang")) === language
          ? []
          : [`${route}: in another language`]),
        ...(await findBroken(page, { where: route })),
      ]);
      await context.close();
      expect(found).toEqual([]);
    }
  });

  it("by the focused element: no sticky part covers it", async () => {
    const context = await openContext("root");
    const page = await context.newPage();
    await open(page, "/channel/edit/1");
    const behind: string[] = [];
    for (let steps = 0; steps < 60; steps += 1) {
      await page.keyboard.press("Tab");
      const found = await page.evaluate<string>(HIDDEN_FOCUS);
      if (found) behind.push(found);
    }
    await context.close();
    expect(behind).toEqual([]);
  });

  it("by the size, the place or the focus of anything that a page opens on a phone", async () => {
    const context = await openContext("root");
    const found = await checkRoutes(context, ROUTES_WITH_POPUPS, async (page, route) => {
      await page.setViewportSize({ width: 360, height: 640 });
      await settle(page);
      return tryPopups(page, route, faultsOnPhone);
    });
    await context.close();
    expect(found.join("\n")).toBe("");
  });

  it.each([
    ["root", ROUTES.root],
    ["customer", ROUTES_OF_CUSTOMER],
  ] as const)("by anything that a page of %s opens, light or dark", async (who, routes) => {
    const context = await openContext(who);
    const found = await checkRoutes(context, someOf(routes), (page, route) =>
      tryPopups(page, route, brokenInPopup),
    );
    await context.close();
    expect(found).toEqual([]);
  });

  it("by a popup over a page", async () => {
    const context = await openContext("root");
    const page = await context.newPage();
    const found: string[] = [];
    const check = async (where: string): Promise<void> => {
      for (const colorScheme of THEMES) {
        await paint(page, colorScheme);
        // While something is open the library hides the page behind it and keeps focusable guards around it: Tab
        // closes what is open before it reaches them. So the page's landmarks and heading do not count either.
        found.push(
          ...(await findBroken(page, {
            where: `${where} (${colorScheme})`,
            forgiven: ["aria-hidden-focus", "page-has-heading-one", "region"],
          })),
        );
      }
      await page.keyboard.press("Escape");
    };
    const press = (name: string) => page.getByRole("button", { name, exact: true }).first().click();

    await open(page, "/log");
    await press("选择起始时间");
    await page.getByRole("grid").waitFor();
    await check("a calendar");
    await page.getByRole("combobox", { name: "明细分类" }).click();
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    await check("a list of choices");
    await press("root");
    await page.getByRole("menuitem").first().waitFor();
    await check("a menu");

    await open(page, "/token");
    await press("搜索（Ctrl+K）");
    await page.getByRole("combobox", { name: "搜索与命令" }).waitFor();
    await page.keyboard.type("nothing has this name");
    await page.getByRole("dialog").getByText("没有与").waitFor();
    await check("the command menu without a match");
    await page.getByRole("button", { name: /^接入：/ }).click();
    await page.getByRole("dialog").waitFor();
    await page.getByRole("tab", { name: "Cursor" }).click();
    await check("how a key is used");
    await page.getByRole("button", { name: /^更多操作/ }).click();
    await page.getByRole("menuitem", { name: "删除" }).waitFor();
    await check("the menu of a row");
    await page.getByRole("button", { name: /^更多操作/ }).click();
    await page.getByRole("menuitem", { name: "删除" }).click();
    await page.getByRole("alertdialog").waitFor();
    await check("a question");

    await open(page, "/setting");
    await press("绑定邮箱地址");
    await page.getByRole("dialog").waitFor();
    await page.getByRole("button", { name: "获取验证码" }).click();
    await check("a dialog");

    await open(page, "/user/edit/2");
    await page.getByRole("combobox", { name: "分组" }).click();
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    await check("a list of suggestions");

    await page.setViewportSize({ width: 390, height: 900 });
    await open(page, "/topup");
    await press("获取兑换码");
    await page.getByRole("article").waitFor();
    await press("菜单");
    await page.getByRole("navigation", { name: "主菜单" }).waitFor();
    await check("a narrow menu and a toast");

    await context.close();
    expect(found).toEqual([]);
  });
});
