import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";
import { isSecretOption } from "@tollgate/contract/control/option";
import { USAGE_GROUPINGS } from "@tollgate/contract/control/usage";
import { entryOf } from "@tollgate/contract/options/options";
import { bendData, type OptionalFields } from "./bend-answer";
import { foldUsage, sumUsage } from "./sum-usage";
import { makeWorld, type WireChannel, type WireUser, type World } from "./world";

/** How the next answer to an address fails. */
export type Fault = 401 | 405 | 429 | 500 | 502 | "not-json" | "refused" | "hang-up";

/** In what ways servers of this contract differ. */
export interface Dialect {
  rowsPerPage: number;
  /** What `message` is on success; undefined leaves it out. */
  successMessage: string | undefined;
  /** Numbers that may be null are null. */
  hasNulls: boolean;
  isEnglish: boolean;
  /** Under which name a log row's id travels; "absent" leaves it out. */
  logId: "id" | "id;index:idx_created_at_id" | "absent";
  optionalFields: OptionalFields;
  latencyMs: number;
  /** Whether the server knows sums over usage and receipts; one that does not answers these calls with 404. */
  hasUsage: boolean;
}

export interface DoubleOptions extends Partial<Dialect> {
  /** A folder of built console files to serve beside the API. */
  files?: string;
  /** Sent with every file. */
  contentSecurityPolicy?: string;
}

export interface Double {
  url: string;
  world: World;
  dialect: Dialect;
  /** "METHOD path?query" of every call that arrived. */
  calls: string[];
  /** Bodies of calls with one, in order. */
  bodies: { call: string; body: unknown }[];
  /** Makes calls whose path starts so fail, until undone with undefined. */
  fail: (pathStart: string, fault: Fault | undefined) => void;
  close: () => Promise<void>;
}

interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  user: WireUser | undefined;
}

interface Answer {
  status?: number;
  cookie?: string;
  body: Record<string, unknown> | string;
}

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
};

const readBody = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
};

/** An option's text as the kind of value that stands in the status object. */
const toStatusValue = (before: unknown, text: string): unknown => {
  if (typeof before === "boolean") return text === "true";
  return typeof before === "number" ? Number(text) : text;
};

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Starts a server that speaks the /api contract from memory. Nothing it holds is kept. */
export const startDouble = async (options: DoubleOptions = {}, port = 0): Promise<Double> => {
  const world = makeWorld();
  const dialect: Dialect = {
    rowsPerPage: options.rowsPerPage ?? 10,
    successMessage: "successMessage" in options ? options.successMessage : "",
    hasNulls: options.hasNulls ?? false,
    isEnglish: options.isEnglish ?? false,
    logId: options.logId ?? "id",
    optionalFields: options.optionalFields ?? "all",
    latencyMs: options.latencyMs ?? 0,
    hasUsage: options.hasUsage ?? true,
  };
  const faults = new Map<string, Fault>();
  const calls: string[] = [];
  const bodies: Double["bodies"] = [];

  const ok = (data?: unknown, more: Record<string, unknown> = {}): Answer => ({
    body: {
      success: true,
      ...(dialect.successMessage === undefined ? {} : { message: dialect.successMessage }),
      ...(data === undefined ? {} : { data: bendData(data, dialect.optionalFields, dialect.hasNulls) }),
      ...more,
    },
  });
  const refuse = (chinese: string, english: string, more: Record<string, unknown> = {}): Answer => ({
    body: { success: false, message: dialect.isEnglish ? english : chinese, ...more },
  });
  const missing = () => refuse("record not found", "record not found");

  const page = <Row>(rows: readonly Row[], query: URLSearchParams): Row[] => {
    const p = Math.max(0, Number.parseInt(query.get("p") ?? "0", 10) || 0);
    return rows.slice(p * dialect.rowsPerPage, (p + 1) * dialect.rowsPerPage);
  };
  const newest = <Row extends { id: number }>(rows: readonly Row[]): Row[] =>
    rows.toSorted((a, b) => b.id - a.id);
  const nextId = (rows: readonly { id: number }[]) => Math.max(0, ...rows.map((row) => row.id)) + 1;

  const hideKey = (channel: WireChannel) => ({
    ...channel,
    key: "",
    ...(dialect.hasNulls ? { weight: null, priority: null, base_url: null, model_mapping: null } : {}),
  });
  const hidePassword = (user: WireUser) => ({
    ...user,
    password: "",
    access_token: "",
    inviter_id: 0,
    verification_code: "",
  });

  const channelAnswer = ({ method, path, query, body }: Call): Answer => {
    const rest = path.replace(/^\/api\/channel\/?/, "").replace(/\/$/, "");
    const id = Number(rest.split("/").at(-1));
    const found = world.channels.find((channel) => channel.id === id);
    if (method === "GET" && rest === "") return ok(page(newest(world.channels), query).map(hideKey));
    if (method === "GET" && rest === "search") {
      const keyword = query.get("keyword") ?? "";
      const hits = world.channels.filter(
        (channel) =>
          String(channel.id) === keyword || channel.name.startsWith(keyword) || channel.key === keyword,
      );
      return ok(hits.map(hideKey));
    }
    if (method === "GET" && rest === "models") {
      return {
        body: { object: "list", data: world.models.map((model) => ({ id: model, object: "model" })) },
      };
    }
    if (method === "GET" && (rest === "test" || rest === "update_balance")) return ok();
    if (method === "GET" && rest.startsWith("test/")) {
      if (!found) return missing();
      if (found.status !== 1)
        return refuse("type , code , message 渠道不可用", "channel not available", { time: 0.1 });
      return ok(undefined, { time: 1.23 });
    }
    if (method === "GET" && rest.startsWith("update_balance/")) {
      if (!found) return missing();
      return found.type === 14 ? refuse("尚未实现", "not implemented") : ok(undefined, { balance: 42.5 });
    }
    if (method === "GET") return found ? ok(hideKey(found)) : missing();
    if (method === "DELETE" && rest === "disabled") {
      const kept = world.channels.filter((channel) => channel.status === 1);
      const count = world.channels.length - kept.length;
      world.channels = kept;
      return ok(count);
    }
    if (method === "DELETE") {
      world.channels = world.channels.filter((channel) => channel.id !== id);
      return ok();
    }
    if (method === "POST") {
      for (const key of String(body.key)
        .split("\n")
        .filter((line) => line !== "")) {
        world.channels.push({
          id: nextId(world.channels),
          type: Number(body.type),
          key,
          status: 1,
          name: String(body.name),
          weight: 0,
          created_time: nowSeconds(),
          test_time: 0,
          response_time: 0,
          base_url: String(body.base_url ?? ""),
          other: String(body.other ?? ""),
          balance: 0,
          balance_updated_time: 0,
          models: String(body.models),
          group: String(body.group),
          used_quota: 0,
          model_mapping: String(body.model_mapping ?? ""),
          priority: 0,
        });
      }
      return ok();
    }
    if (method === "PUT") {
      const target = world.channels.find((channel) => channel.id === body.id);
      if (!target) return missing();
      Object.assign(target, body);
      return ok(hideKey(target));
    }
    return missing();
  };

  const tokenAnswer = ({ method, path, query, body, user }: Call): Answer => {
    const own = world.tokens.filter((token) => token.user_id === user?.id);
    const rest = path.replace(/^\/api\/token\/?/, "").replace(/\/$/, "");
    const found = own.find((token) => token.id === Number(rest));
    if (method === "GET" && rest === "") return ok(page(newest(own), query));
    if (method === "GET" && rest === "search") {
      return ok(own.filter((token) => token.name.startsWith(query.get("keyword") ?? "")));
    }
    if (method === "GET") return found ? ok(found) : missing();
    if (method === "DELETE") {
      if (!found) return missing();
      world.tokens = world.tokens.filter((token) => token !== found);
      return ok();
    }
    if (method === "POST") {
      if (new TextEncoder().encode(String(body.name)).length > 30)
        return refuse("令牌名称过长", "token name too long");
      const id = nextId(world.tokens);
      world.tokens.push({
        id,
        user_id: user?.id ?? 0,
        key: `n${String(id).padStart(47, "0")}`,
        status: 1,
        name: String(body.name),
        created_time: nowSeconds(),
        accessed_time: nowSeconds(),
        expired_time: Number(body.expired_time) || -1,
        remain_quota: Number(body.remain_quota),
        unlimited_quota: body.unlimited_quota === true,
        used_quota: 0,
      });
      return ok();
    }
    const target = own.find((token) => token.id === body.id);
    if (!target) return missing();
    if (query.get("status_only")) {
      if (
        body.status === 1 &&
        target.status === 3 &&
        target.expired_time > 0 &&
        target.expired_time < nowSeconds()
      ) {
        return refuse(
          "令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期",
          "the token has expired",
        );
      }
      target.status = Number(body.status);
    } else {
      Object.assign(target, body);
    }
    return ok(target);
  };

  const redemptionAnswer = ({ method, path, query, body }: Call): Answer => {
    const rest = path.replace(/^\/api\/redemption\/?/, "").replace(/\/$/, "");
    const found = world.redemptions.find((code) => code.id === Number(rest));
    if (method === "GET" && rest === "") return ok(page(newest(world.redemptions), query));
    if (method === "GET" && rest === "search") {
      const keyword = query.get("keyword") ?? "";
      return ok(
        world.redemptions.filter((code) => String(code.id) === keyword || code.name.startsWith(keyword)),
      );
    }
    if (method === "GET") return found ? ok(found) : missing();
    if (method === "DELETE") {
      world.redemptions = world.redemptions.filter((code) => code !== found);
      return ok();
    }
    if (method === "POST") {
      const keys: string[] = [];
      for (let made = 0; made < Number(body.count); made += 1) {
        const id = nextId(world.redemptions);
        const key = `code${String(id).padStart(28, "0")}`;
        keys.push(key);
        world.redemptions.push({
          id,
          user_id: 1,
          key,
          status: 1,
          name: String(body.name),
          quota: Number(body.quota),
          created_time: nowSeconds(),
          redeemed_time: 0,
        });
      }
      return ok(keys);
    }
    const target = world.redemptions.find((code) => code.id === body.id);
    if (!target) return missing();
    Object.assign(
      target,
      query.get("status_only") ? { status: body.status } : { name: body.name, quota: body.quota },
    );
    return ok(target);
  };

  const logAnswer = ({ method, path, query, user }: Call): Answer => {
    const isOwn = path.includes("/self");
    const equals = (name: string, value: string) => !query.get(name) || query.get(name) === value;
    const rows = world.logs.filter(
      (log) =>
        (!isOwn || log.username === user?.username) &&
        (!Number(query.get("type")) || log.type === Number(query.get("type"))) &&
        equals("token_name", log.token_name) &&
        equals("model_name", log.model_name) &&
        equals("username", log.username) &&
        (!Number(query.get("channel")) || log.channel === Number(query.get("channel"))) &&
        log.created_at >= Number(query.get("start_timestamp") ?? 0) &&
        log.created_at <= Number(query.get("end_timestamp") || Number.POSITIVE_INFINITY),
    );
    if (method === "DELETE") {
      const before = world.logs.length;
      world.logs = world.logs.filter((log) => log.created_at >= Number(query.get("target_timestamp")));
      return ok(before - world.logs.length);
    }
    if (path.endsWith("/stat")) return ok({ quota: rows.reduce((sum, log) => sum + log.quota, 0) });
    return ok(
      page(newest(rows), query).map(({ id, request_id, ...log }) => ({
        ...(dialect.hasUsage ? { request_id } : {}),
        ...(dialect.logId === "absent" ? {} : { [dialect.logId]: isOwn ? 0 : id }),
        ...log,
        ...(dialect.hasNulls ? { prompt_tokens: null } : {}),
      })),
    );
  };

  const usageAnswer = ({ path, query, user }: Call): Answer => {
    const isOwn = path.endsWith("/self");
    const by = USAGE_GROUPINGS.find((each) => each === query.get("by")) ?? "none";
    if (isOwn && (by === "channel" || by === "user"))
      return refuse("无权进行此操作，权限不足", "not permitted");
    const equals = (name: string, value: string) => !query.get(name) || query.get(name) === value;
    const records = world.requests.filter(
      (record) =>
        (!isOwn || record.user_id === user?.id) &&
        record.created_at >= Number(query.get("start_timestamp")) &&
        record.created_at <= Number(query.get("end_timestamp")) &&
        equals("token_name", record.token_name) &&
        equals("model_name", record.model_name) &&
        (isOwn || (equals("username", record.username) && equals("channel", String(record.channel)))),
    );
    const step = query.get("step") === "hour" ? "hour" : "day";
    const points = sumUsage(records, world, by, step, Number(query.get("offset_minutes")));
    const top = Number(query.get("top") ?? 0);
    return ok(top > 0 ? foldUsage(points, top) : points);
  };

  const receiptAnswer = ({ path, query, user }: Call): Answer => {
    const isOwn = path.includes("/self");
    const found = world.requests.find(({ request_id }) => request_id === query.get("request_id"));
    if (!found || (isOwn && found.user_id !== user?.id)) return refuse("没有这份回执", "no such receipt");
    const { user_id: _user, token_id: _token, channel: _channel, ...receipt } = found;
    return ok(
      isOwn
        ? {
            ...receipt,
            attempts: receipt.attempts.map((attempt) => ({ ...attempt, channel: 0, channel_name: "" })),
          }
        : receipt,
    );
  };

  const login = (user: WireUser): Answer => ({
    ...ok({
      ...hidePassword(user),
      quota: 0,
      used_quota: 0,
      request_count: 0,
      group: "",
      email: "",
      aff_code: "",
    }),
    cookie: `session=${user.id}; Path=/; HttpOnly; SameSite=Lax`,
  });

  const userAnswer = ({ method, path, query, body, user }: Call): Answer => {
    const rest = path.replace(/^\/api\/user\/?/, "").replace(/\/$/, "");
    if (rest === "login") {
      const found = world.users.find(
        (each) => each.username === body.username && each.password === body.password,
      );
      return found?.status === 1
        ? login(found)
        : refuse("用户名或密码错误，或用户已被封禁", "wrong username or password, or the user is banned");
    }
    if (rest === "logout") return { ...ok(), cookie: "session=; Path=/; Max-Age=0" };
    if (rest === "register") {
      if (world.users.some((each) => each.username === body.username))
        return refuse("用户名已被占用", "username taken");
      world.users.push({
        ...(world.users[2] as WireUser),
        id: nextId(world.users),
        username: String(body.username),
        password: String(body.password),
        display_name: String(body.username),
        email: "",
      });
      return ok();
    }
    if (rest === "reset") return body.token ? ok("0123456789ab") : refuse("无效的参数", "invalid parameter");
    if (!user)
      return {
        status: 401,
        body: refuse("无权进行此操作，未登录且未提供 access token", "not logged in").body,
      };
    if (rest === "token") return ok("00112233445566778899aabbccddeeff");
    if (rest === "aff") return ok(user.aff_code);
    if (rest === "topup") {
      const code = world.redemptions.find((each) => each.key === body.key);
      if (!code) return refuse("兑换失败，无效的兑换码", "invalid code");
      if (code.status !== 1) return refuse("兑换失败，该兑换码已被使用", "the code has been used");
      code.status = 3;
      user.quota += code.quota;
      return ok(code.quota);
    }
    if (rest === "self") {
      if (method === "GET") return ok(hidePassword(user));
      if (method === "DELETE") {
        if (user.role === 100) return refuse("不能删除超级管理员账户", "the root account cannot be deleted");
        world.users = world.users.filter((each) => each !== user);
        return ok();
      }
      for (const name of ["username", "display_name", "password"] as const)
        if (body[name]) user[name] = String(body[name]);
      return ok();
    }
    if (rest === "manage") {
      const target = world.users.find((each) => each.username === body.username);
      if (!target) return refuse("用户不存在", "no such user");
      if (target.role >= user.role)
        return refuse("无权更新同权限等级或更高权限等级的用户信息", "not permitted");
      if (body.action === "promote") target.role = 10;
      if (body.action === "demote") target.role = 1;
      if (body.action === "enable") target.status = 1;
      if (body.action === "disable") target.status = 2;
      if (body.action === "delete") world.users = world.users.filter((each) => each !== target);
      return ok({ status: target.status, role: target.role });
    }
    if (rest === "search") {
      const keyword = query.get("keyword") ?? "";
      return ok(
        world.users
          .filter((each) => String(each.id) === keyword || each.username.startsWith(keyword))
          .map(hidePassword),
      );
    }
    if (method === "GET" && rest === "") return ok(page(newest(world.users), query).map(hidePassword));
    if (method === "POST") {
      world.users.push({
        ...(world.users[2] as WireUser),
        id: nextId(world.users),
        username: String(body.username),
        password: String(body.password),
        display_name: String(body.display_name || body.username),
        email: "",
      });
      return ok();
    }
    const target = world.users.find((each) => each.id === (method === "GET" ? Number(rest) : body.id));
    if (!target) return missing();
    if (method === "GET") return ok(hidePassword(target));
    for (const [name, value] of Object.entries(body)) if (value) Object.assign(target, { [name]: value });
    return ok();
  };

  const optionAnswer = ({ method, body }: Call): Answer => {
    if (method === "GET") {
      const shown = Object.entries(world.options).filter(([key]) => !isSecretOption(key));
      return ok(shown.map(([key, value]) => ({ key, value })));
    }
    if (typeof body.value !== "string")
      return { status: 400, body: refuse("无效的参数", "invalid parameter").body };
    const key = String(body.key);
    world.options[key] = body.value;
    const field = entryOf(key)?.status;
    if (field !== undefined) world.status[field] = toStatusValue(world.status[field], body.value);
    return ok();
  };

  const unknown = ({ method, path }: Call): Answer => ({
    status: 404,
    body: { error: { message: `Invalid URL (${method} ${path})` } },
  });

  const answer = (call: Call): Answer => {
    const { path, user } = call;
    if (path === "/api/status") return ok(world.status);
    if (path === "/api/notice") return ok(world.texts.notice);
    if (path === "/api/about") return ok(world.texts.about);
    if (path === "/api/home_page_content") return ok(world.texts.home_page_content);
    if (path === "/api/verification" || path === "/api/reset_password") return ok();
    if (path === "/api/oauth/state") return ok("abcdefghijkl");
    if (path.startsWith("/api/oauth/") && path.endsWith("/bind")) return ok();
    if (path === "/api/oauth/wechat") {
      const alice = world.users[2];
      return alice && call.query.get("code") === "123456"
        ? login(alice)
        : refuse("验证码错误或已过期", "wrong code");
    }
    if (path === "/api/oauth/github") {
      if (user) return { body: { success: true, message: "bind" } };
      const alice = world.users[2];
      return alice && call.query.get("code") === "good"
        ? login(alice)
        : refuse("无效的参数", "invalid parameter");
    }
    if (path.startsWith("/api/user")) return userAnswer(call);
    if (!user)
      return {
        status: 401,
        body: refuse("无权进行此操作，未登录且未提供 access token", "not logged in").body,
      };
    if (path.startsWith("/api/token")) return tokenAnswer(call);
    if (dialect.hasUsage && path === "/api/usage/self") return usageAnswer(call);
    if (dialect.hasUsage && path === "/api/log/self/receipt") return receiptAnswer(call);
    if (!dialect.hasUsage && path.endsWith("/receipt")) return unknown(call);
    if (path.startsWith("/api/log/self") || path.startsWith("/api/log/self/stat")) return logAnswer(call);
    if (!dialect.hasUsage && path.startsWith("/api/usage")) return unknown(call);
    if (user.role < 10) return refuse("无权进行此操作，权限不足", "not permitted");
    if (dialect.hasUsage && path === "/api/usage") return usageAnswer(call);
    if (dialect.hasUsage && path === "/api/log/receipt") return receiptAnswer(call);
    if (path.startsWith("/api/channel")) return channelAnswer(call);
    if (path.startsWith("/api/redemption")) return redemptionAnswer(call);
    if (path.startsWith("/api/log")) return logAnswer(call);
    if (path.startsWith("/api/group"))
      return ok(Object.keys(JSON.parse(world.options.GroupRatio ?? "{}") as object));
    if (path.startsWith("/api/option")) return optionAnswer(call);
    return unknown(call);
  };

  const sendFile = (path: string, response: ServerResponse): void => {
    const wanted = join(options.files ?? "", normalize(path));
    const isFile = existsSync(wanted) && statSync(wanted).isFile();
    const file = isFile ? wanted : join(options.files ?? "", "index.html");
    response.writeHead(200, {
      "Content-Type": TYPES[extname(file)] ?? "application/octet-stream",
      ...(options.contentSecurityPolicy ? { "Content-Security-Policy": options.contentSecurityPolicy } : {}),
    });
    createReadStream(file).pipe(response);
  };

  const sendFault = (fault: Fault, response: ServerResponse): void => {
    if (fault === "hang-up") {
      response.destroy();
    } else if (fault === "not-json") {
      response.writeHead(200, { "Content-Type": "text/html" }).end("<html>proxy</html>");
    } else if (fault === "refused") {
      response
        .writeHead(200, { "Content-Type": "application/json" })
        .end(JSON.stringify(refuse("服务器拒绝了这次操作", "the server refused").body));
    } else {
      // Limits and crashes answer with an empty body (contract section 0.4).
      response.writeHead(fault).end();
    }
  };

  const server: Server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://double");
    if (!url.pathname.startsWith("/api") && options.files) {
      sendFile(url.pathname, response);
      return;
    }
    const name = `${request.method} ${url.pathname}${url.search}`;
    calls.push(name);
    const body = await readBody(request);
    if (Object.keys(body).length > 0) bodies.push({ call: name, body });
    if (dialect.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, dialect.latencyMs));
    const fault = [...faults].find(([start]) => url.pathname.startsWith(start))?.[1];
    if (fault !== undefined) {
      sendFault(fault, response);
      return;
    }
    const session = /session=(\d+)/.exec(request.headers.cookie ?? "")?.[1];
    const result = answer({
      method: request.method ?? "GET",
      path: url.pathname,
      query: url.searchParams,
      body,
      user: world.users.find((each) => String(each.id) === session),
    });
    response.writeHead(result.status ?? 200, {
      "Content-Type": "application/json; charset=utf-8",
      ...(result.cookie ? { "Set-Cookie": result.cookie } : {}),
    });
    response.end(typeof result.body === "string" ? result.body : JSON.stringify(result.body));
  });

  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : port}`,
    world,
    dialect,
    calls,
    bodies,
    fail: (pathStart, fault) => {
      if (fault === undefined) faults.delete(pathStart);
      else faults.set(pathStart, fault);
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
