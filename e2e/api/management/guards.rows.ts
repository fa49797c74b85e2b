import { EXTRA_CALLS } from "./extra-methods";
import { inBothSlashForms, type Row } from "./row-runner";

type Guard = "none" | "user" | "admin" | "root";

/** A call and what becomes of it for those who may make it. Chosen so that it can be made again and again. */
interface GuardedCall extends Omit<Row, "who"> {
  guard: Guard;
}

const LONG = "x".repeat(31);
const REFUSED_FORMAT = { success: false, says: "无效的参数" };
const NOT_FOUND = { success: false, says: "记录不存在" };

const CALLS: readonly GuardedCall[] = [
  { guard: "none", method: "GET", path: "/api/status", success: true },
  { guard: "none", method: "GET", path: "/api/notice", success: true, data: "" },
  { guard: "none", method: "GET", path: "/api/about", success: true, data: "" },
  { guard: "none", method: "GET", path: "/api/home_page_content", success: true, data: "" },
  {
    guard: "none",
    method: "POST",
    path: "/api/user/login",
    body: { username: "nobody", password: "password-1" },
    success: false,
    says: "用户名或密码错误，或用户已被封禁",
  },
  { guard: "user", method: "GET", path: "/api/user/self", success: true },
  { guard: "user", method: "PUT", path: "/api/user/self", body: {}, success: true },
  { guard: "user", method: "GET", path: "/api/user/token", success: true, changes: ["users"] },
  { guard: "user", method: "GET", path: "/api/user/aff", success: true },
  {
    guard: "user",
    method: "GET",
    path: "/api/user/groups",
    success: true,
    data: {
      groups: [{ name: "default", description: "", ratio: "1", is_own: true }],
      auto: ["default"],
    },
  },
  {
    guard: "user",
    method: "POST",
    path: "/api/user/topup",
    body: { key: "no-such-code" },
    success: false,
    says: "兑换失败，无效的兑换码",
  },
  {
    guard: "none",
    method: "POST",
    path: "/api/user/register",
    body: { username: "", password: "password-1" },
    success: false,
    says: "输入不合法",
  },
  {
    guard: "none",
    method: "GET",
    path: "/api/verification?email=nowhere",
    success: false,
    says: "无效的参数",
  },
  {
    guard: "none",
    method: "GET",
    path: "/api/reset_password?email=nowhere",
    success: false,
    says: "无效的参数",
  },
  {
    guard: "none",
    method: "POST",
    path: "/api/user/reset",
    body: { email: "someone@example.com", token: "0123456789abcdef0123456789abcdef" },
    success: false,
    says: "重置链接非法或已过期",
  },
  {
    guard: "user",
    method: "GET",
    path: "/api/oauth/email/bind?email=someone@example.com&code=000000",
    success: false,
    says: "验证码错误或已过期",
  },
  { guard: "none", method: "POST", path: "/api/setup/check", body: { code: "x" }, success: true },
  {
    guard: "none",
    method: "POST",
    path: "/api/setup",
    body: { code: "x", password: "password-1" },
    success: false,
    says: "root 的密码已经设置",
  },
  { guard: "none", method: "GET", path: "/api/oauth/state", success: true },
  {
    guard: "none",
    method: "GET",
    path: "/api/oauth/github?code=a&state=b",
    status: 403,
    success: false,
    says: "state is empty or not same",
  },
  {
    guard: "none",
    method: "GET",
    path: "/api/oauth/wechat?code=a",
    success: false,
    says: "管理员未开启通过微信登录以及注册",
  },
  {
    guard: "user",
    method: "GET",
    path: "/api/oauth/wechat/bind?code=a",
    success: false,
    says: "管理员未开启通过微信登录以及注册",
  },
  ...EXTRA_CALLS.map((call) => ({ method: "GET", ...call })),
  { guard: "admin", method: "GET", path: "/api/user?p=0", success: true },
  {
    guard: "admin",
    method: "POST",
    path: "/api/user",
    body: { username: "short", password: "1234567" },
    success: false,
    says: "密码长度",
  },
  { guard: "admin", method: "PUT", path: "/api/user", body: { id: 999_999, quota: 5 }, ...NOT_FOUND },
  { guard: "admin", method: "GET", path: "/api/user/search?keyword=zzz", success: true, data: [] },
  { guard: "admin", method: "GET", path: "/api/user/{nobody}", ...NOT_FOUND },
  { guard: "admin", method: "DELETE", path: "/api/user/{nobody}", ...NOT_FOUND },
  {
    guard: "admin",
    method: "POST",
    path: "/api/user/manage",
    body: { username: "nobody", action: "disable" },
    success: false,
    says: "用户不存在",
  },
  { guard: "admin", method: "GET", path: "/api/channel?p=0", success: true, data: [] },
  {
    guard: "admin",
    method: "POST",
    path: "/api/channel",
    body: { type: 9999, name: "n", key: "k", models: "m" },
    success: false,
    says: "未知的渠道类型",
  },
  { guard: "admin", method: "PUT", path: "/api/channel", body: { id: 999_999, name: "n" }, ...NOT_FOUND },
  { guard: "admin", method: "GET", path: "/api/channel/search?keyword=zzz", success: true, data: [] },
  { guard: "admin", method: "GET", path: "/api/channel/models", success: true, shows: ['"object":"list"'] },
  { guard: "admin", method: "GET", path: "/api/channel/tags", success: true },
  { guard: "admin", method: "POST", path: "/api/channel/copy/{nobody}", body: {}, ...NOT_FOUND },
  {
    guard: "admin",
    method: "POST",
    path: "/api/channel/batch",
    body: { ids: [999_999], action: "delete" },
    ...NOT_FOUND,
  },
  { guard: "admin", method: "GET", path: "/api/channel/test", success: true },
  { guard: "admin", method: "GET", path: "/api/channel/test/{nobody}", ...NOT_FOUND },
  { guard: "admin", method: "GET", path: "/api/channel/update_balance", success: true },
  { guard: "admin", method: "GET", path: "/api/channel/update_balance/{nobody}", ...NOT_FOUND },
  { guard: "admin", method: "GET", path: "/api/channel/{nobody}", ...NOT_FOUND },
  // Idempotent by the contract; who tried it is written down all the same.
  { guard: "admin", method: "DELETE", path: "/api/channel/{nobody}", success: true, changes: ["audit"] },
  {
    guard: "admin",
    method: "DELETE",
    path: "/api/channel/disabled",
    success: true,
    data: 0,
    changes: ["audit"],
  },
  { guard: "admin", method: "GET", path: "/api/group", success: true, shows: ["default", "vip", "svip"] },
  { guard: "user", method: "GET", path: "/api/token?p=0", success: true },
  {
    guard: "user",
    method: "POST",
    path: "/api/token",
    body: { name: LONG },
    success: false,
    says: "令牌名称过长",
  },
  { guard: "user", method: "PUT", path: "/api/token", body: { id: 999_999, name: "n" }, ...NOT_FOUND },
  { guard: "user", method: "GET", path: "/api/token/search?keyword=zzz", success: true, data: [] },
  { guard: "user", method: "GET", path: "/api/token/{nobody}", ...NOT_FOUND },
  { guard: "user", method: "DELETE", path: "/api/token/{nobody}", ...NOT_FOUND },
  { guard: "admin", method: "GET", path: "/api/redemption?p=0", success: true, data: [] },
  {
    guard: "admin",
    method: "POST",
    path: "/api/redemption",
    body: { name: "", quota: 1, count: 1 },
    success: false,
    says: "兑换码名称长度必须在1-20之间",
  },
  { guard: "admin", method: "PUT", path: "/api/redemption", body: { id: 999_999, name: "n" }, ...NOT_FOUND },
  { guard: "admin", method: "GET", path: "/api/redemption/search?keyword=zzz", success: true, data: [] },
  { guard: "admin", method: "GET", path: "/api/redemption/{nobody}", ...NOT_FOUND },
  { guard: "admin", method: "DELETE", path: "/api/redemption/{nobody}", ...NOT_FOUND },
  { guard: "admin", method: "GET", path: "/api/log?p=0", success: true },
  {
    guard: "admin",
    method: "DELETE",
    path: "/api/log",
    success: false,
    says: "target timestamp is required",
  },
  { guard: "user", method: "GET", path: "/api/log/self?p=0", success: true },
  { guard: "admin", method: "GET", path: "/api/log/search?keyword=zzz", success: true, data: [] },
  { guard: "user", method: "GET", path: "/api/log/self/search?keyword=zzz", success: true, data: [] },
  { guard: "admin", method: "GET", path: "/api/log/stat", success: true, data: { quota: 0 } },
  { guard: "admin", method: "GET", path: "/api/log/receipt?request_id=zzz", ...NOT_FOUND },
  { guard: "user", method: "GET", path: "/api/log/self/receipt?request_id=zzz", ...NOT_FOUND },
  { guard: "root", method: "GET", path: "/api/log/body?request_id=zzz", ...NOT_FOUND },
  { guard: "user", method: "GET", path: "/api/log/self/body?request_id=zzz", ...NOT_FOUND },
  { guard: "root", method: "DELETE", path: "/api/log/body", success: true, data: 0, changes: ["audit"] },
  { guard: "admin", method: "GET", path: "/api/usage?step=hour&by=user", success: true, data: [] },
  { guard: "user", method: "GET", path: "/api/usage/self?step=day&by=model", success: true, data: [] },
  { guard: "admin", method: "GET", path: "/api/profit?by=channel_model", success: true },
  { guard: "admin", method: "GET", path: "/api/profit/losses", success: true, data: [] },
  {
    guard: "admin",
    method: "POST",
    path: "/api/channel/buying_prices/preview",
    body: { models: "m", buying_prices: "{" },
    success: false,
    says: "进价在 JSON",
  },
  {
    guard: "admin",
    method: "POST",
    path: "/api/channel/upstream_prices",
    body: { id: 4711 },
    success: false,
  },
  // Files: what they hold is in logs.test.ts. Every other format is refused in an envelope.
  { guard: "admin", method: "GET", path: "/api/log/export?format=xls", ...REFUSED_FORMAT },
  { guard: "user", method: "GET", path: "/api/log/self/export?format=xls", ...REFUSED_FORMAT },
  { guard: "admin", method: "GET", path: "/api/usage/export?format=xls", ...REFUSED_FORMAT },
  { guard: "user", method: "GET", path: "/api/usage/self/export?format=xls", ...REFUSED_FORMAT },
  { guard: "admin", method: "GET", path: "/api/ledger/export?format=xls", ...REFUSED_FORMAT },
  { guard: "user", method: "GET", path: "/api/ledger/self/export?format=xls", ...REFUSED_FORMAT },
  { guard: "admin", method: "GET", path: "/api/ledger", success: true },
  { guard: "user", method: "GET", path: "/api/ledger/self", success: true },
  { guard: "admin", method: "GET", path: "/api/profit/export?format=xls", ...REFUSED_FORMAT },
  { guard: "admin", method: "GET", path: "/api/user/export?format=xls", ...REFUSED_FORMAT },
  { guard: "admin", method: "GET", path: "/api/channel/export?format=xls", ...REFUSED_FORMAT },
  { guard: "admin", method: "GET", path: "/api/redemption/export?format=xls", ...REFUSED_FORMAT },
  { guard: "user", method: "GET", path: "/api/log/self/stat", success: true, data: { quota: 0 } },
  { guard: "admin", method: "GET", path: "/api/option", success: true },
  { guard: "root", method: "GET", path: "/api/audit", success: true },
  { guard: "root", method: "GET", path: "/api/node", success: true },
  { guard: "root", method: "GET", path: "/api/notice/way", success: true, data: [] },
  { guard: "root", method: "GET", path: "/api/notice/log", success: true, data: [] },
  {
    guard: "root",
    method: "POST",
    path: "/api/notice/way",
    body: { kind: "webhook", fields: { address: "file:///etc/passwd" } },
    success: false,
    says: "address",
  },
  {
    guard: "root",
    method: "PUT",
    path: "/api/notice/way/987654",
    body: { kind: "bark" },
    ...NOT_FOUND,
  },
  { guard: "root", method: "DELETE", path: "/api/notice/way/987654", ...NOT_FOUND },
  { guard: "root", method: "POST", path: "/api/notice/way/987654/test", ...NOT_FOUND },
  { guard: "root", method: "POST", path: "/api/notice/backup", body: { place: "/b.tar" }, success: true },
  { guard: "user", method: "GET", path: "/api/user/notice/threshold", success: true },
  {
    guard: "user",
    method: "PUT",
    path: "/api/user/notice/threshold",
    body: { own: -1 },
    success: false,
    says: "own",
  },
  { guard: "user", method: "GET", path: "/api/user/notice/way", success: true, data: [] },
  { guard: "user", method: "GET", path: "/api/user/notice/log", success: true, data: [] },
  {
    guard: "user",
    method: "POST",
    path: "/api/user/notice/way",
    body: { kind: "webhook", fields: { address: "file:///etc/passwd" } },
    success: false,
    says: "address",
  },
  {
    guard: "user",
    method: "PUT",
    path: "/api/user/notice/way/987654",
    body: { kind: "bark" },
    ...NOT_FOUND,
  },
  { guard: "user", method: "DELETE", path: "/api/user/notice/way/987654", ...NOT_FOUND },
  { guard: "user", method: "POST", path: "/api/user/notice/way/987654/test", ...NOT_FOUND },
  // Not even root: these are the local operator's.
  { guard: "root", method: "GET", path: "/api/configuration/secrets", success: false, says: "权限不足" },
  {
    guard: "root",
    method: "POST",
    path: "/api/configuration/open",
    body: { sealed: [] },
    success: false,
    says: "权限不足",
  },
  {
    guard: "admin",
    method: "PUT",
    path: "/api/option",
    body: { key: "LogConsumeEnabled", value: "maybe" },
    success: false,
    says: "LogConsumeEnabled",
  },
  {
    guard: "admin",
    method: "POST",
    path: "/api/prices/preview",
    body: { source: "document", document: "{}" },
    success: false,
    says: "价格表",
  },
  {
    guard: "admin",
    method: "POST",
    path: "/api/prices/accept",
    body: { source: "litellm", price_version: 0, prices: {} },
    success: false,
    says: "请重新比较",
  },
  {
    guard: "admin",
    method: "PUT",
    path: "/api/prices/lock",
    body: { model: "a,b", is_locked: true },
    success: false,
    says: "无效的参数",
  },
  { guard: "admin", method: "GET", path: "/api/prices/missing", success: true },
  {
    guard: "admin",
    method: "POST",
    path: "/api/channel/fetch_models",
    body: { type: 999 },
    success: false,
    says: "999",
  },
];

const RANKS: Record<Guard, number> = { none: 0, user: 1, admin: 2, root: 3 };
const CALLERS = [
  { who: "guest", rank: 0 },
  { who: "user", rank: 1 },
  { who: "admin", rank: 2 },
  { who: "root", rank: 3 },
  { who: "banned", rank: -1 },
] as const;

const forEveryCaller = ({ guard, ...call }: GuardedCall): Row[] =>
  CALLERS.map(({ who, rank }) => {
    const { method, path, body } = call;
    const asked = { who, method, path, body };
    if (guard === "none") return { ...call, who };
    if (who === "guest") {
      return { ...asked, status: 401, success: false, says: "未登录且未提供 access token" };
    }
    if (who === "banned") return { ...asked, success: false, says: "用户已被封禁" };
    if (rank < RANKS[guard]) return { ...asked, success: false, says: "权限不足" };
    return { ...call, who };
  });

/** Calls that cost the caller the session or the account: each is made by somebody new. */
const FINAL_ROWS: readonly Row[] = [
  { who: "guest", method: "GET", path: "/api/user/logout", success: true },
  { who: "fresh user", method: "GET", path: "/api/user/logout", success: true, changes: ["sessions"] },
  { who: "fresh admin", method: "GET", path: "/api/user/logout", success: true, changes: ["sessions"] },
  { who: "fresh root", method: "GET", path: "/api/user/logout", success: true, changes: ["sessions"] },
  { who: "guest", method: "DELETE", path: "/api/user/self", status: 401, success: false, says: "未登录" },
  { who: "banned", method: "DELETE", path: "/api/user/self", success: false, says: "用户已被封禁" },
  {
    who: "passing user",
    method: "DELETE",
    path: "/api/user/self",
    success: true,
    changes: ["users", "sessions"],
  },
  {
    who: "passing admin",
    method: "DELETE",
    path: "/api/user/self",
    success: true,
    changes: ["users", "sessions"],
  },
  {
    who: "fresh root",
    method: "DELETE",
    path: "/api/user/self",
    success: false,
    says: "不能删除超级管理员账户",
  },
];

/** Every route for every caller, in both slash forms. */
export const GUARD_ROWS: readonly Row[] = inBothSlashForms([...CALLS.flatMap(forEveryCaller), ...FINAL_ROWS]);

const NO_OBJECTS = [
  "",
  "{",
  "null",
  "[]",
  '"text"',
  "7",
  "true",
  '{"id":1',
  "\u0000",
  '{"name":"a\\u0000b"}',
];

/** Bodies that are no object of the wanted kind, at every route that takes a body. */
export const BAD_BODY_ROWS: readonly Row[] = [
  "POST /api/user/login",
  "POST /api/setup",
  "POST /api/setup/check",
  "POST /api/user/register",
  "POST /api/user/reset",
  "PUT /api/user/self",
  "POST /api/user/topup",
  "POST /api/user",
  "PUT /api/user",
  "POST /api/user/manage",
  "POST /api/channel",
  "POST /api/channel/fetch_models",
  "PUT /api/channel",
  "POST /api/token",
  "PUT /api/token",
  "POST /api/redemption",
  "PUT /api/redemption",
  "PUT /api/option",
  "POST /api/prices/preview",
  "POST /api/prices/accept",
  "PUT /api/prices/lock",
].flatMap((route) => {
  const [method = "", path = ""] = route.split(" ");
  return NO_OBJECTS.map((body): Row => {
    // The contract answers 400 to an option that cannot be read, and 200 to everything else.
    const isUnreadableOption = path === "/api/option";
    return {
      who: "root",
      method,
      path,
      body,
      ...(isUnreadableOption ? { status: 400 } : {}),
      success: false,
      says: "无效的参数",
    };
  });
});
