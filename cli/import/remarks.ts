import { CHANNEL_REMARKS } from "./channel-remarks";
import { OPTION_REMARKS } from "./option-remarks";
import type { SourceTable } from "./source-rows";

/**
 * What is said of rows of the source. `{name}` stands for a value of the remark; values are never secrets. Each is said in both
 * languages, after the name of the table and before the ids of the rows.
 */
export const REMARK_TEXTS = {
  ...CHANNEL_REMARKS,
  ...OPTION_REMARKS,
  // Any table.
  "cell-unreadable": {
    en: "the column {column} holds what it cannot hold, and is taken as empty",
    zh: "{column} 列的内容无法识别，按空处理",
  },
  "cell-cut": {
    en: "the column {column} is longer than {longest} characters, and was cut",
    zh: "{column} 列超过 {longest} 个字符，已截断",
  },
  "cell-not-text": {
    en: "the column {column} has bytes that are no UTF-8 text, or NUL; they were replaced",
    zh: "{column} 列含有非 UTF-8 字节或 NUL，已替换",
  },
  "id-invalid": {
    en: "the id is not a whole number from 1 to 2^52",
    zh: "编号不是 1 到 2^52 的整数",
  },
  "quota-negative": {
    en: "{column} was {before}, below zero, and is 0 now",
    zh: "{column} 原为 {before}（负数），现改为 0",
  },
  "quota-too-large": {
    en: "{column} was {before}, more than can be counted exactly, and is {after} now",
    zh: "{column} 原为 {before}，超出可精确计数的范围，现改为 {after}",
  },
  "use-below-log": {
    en: "the log accounts for more use than was counted: {before} became {after}",
    zh: "日志中的用量多于累计用量：{before} 改为 {after}",
  },
  // Users.
  "user-deleted": { en: "deleted in the source", zh: "在来源中已删除" },
  "user-status": {
    en: "the status {before} is not known: the account is switched off",
    zh: "状态 {before} 未知：账户已停用",
  },
  "user-role": { en: "the role {before} became {after}", zh: "角色 {before} 改为 {after}" },
  "user-role-none": {
    en: "the role {before} may do nothing: the account is a user's, and switched off",
    zh: "角色 {before} 没有任何权限：改为普通用户并停用",
  },
  "username-empty": { en: "had no name, and is called {after} now", zh: "用户名为空，现改为 {after}" },
  "username-taken": {
    en: "another user has the name {before}: is called {after} now",
    zh: "用户名 {before} 重复，现改为 {after}",
  },
  "username-alike": {
    en: "the name {before} differs from another user's in upper and lower case alone",
    zh: "用户名 {before} 与另一用户仅大小写不同",
  },
  "name-cut": {
    en: "the name was longer than {longest} characters, and was cut",
    zh: "名称超过 {longest} 个字符，已截断",
  },
  "password-none": {
    en: "has no password: signs in by mail or elsewhere, or gets one from an administrator",
    zh: "没有密码：需通过邮箱或第三方登录，或由管理员设置密码",
  },
  "password-unusable": {
    en: "the stored password is of a kind that is not known: a new one must be set",
    zh: "存储的密码格式未知：需要重新设置密码",
  },
  "email-taken": {
    en: "user {other} has the same e-mail address, and keeps it",
    zh: "邮箱与用户 {other} 相同，仅后者保留",
  },
  "email-invalid": {
    en: "its e-mail address cannot be written to, and is left out",
    zh: "邮箱地址无效，未导入",
  },
  "identity-taken": {
    en: "user {other} has the same account of {method}, and keeps it",
    zh: "{method} 账号与用户 {other} 相同，仅后者保留",
  },
  "github-name": {
    en: "GitHub was bound by name, which may be somebody else's today: bind it again",
    zh: "GitHub 以登录名绑定，现可能属于他人：需要重新绑定",
  },
  "identity-unknown": {
    en: "signed in with {method}, which is not known here: bind again when it is",
    zh: "曾使用 {method} 登录，此处暂不支持：以后需要重新绑定",
  },
  "access-token-taken": {
    en: "another user has the same access token, and keeps it",
    zh: "访问令牌与其他用户相同，仅后者保留",
  },
  "aff-code-taken": {
    en: "another user has the same invitation code, and keeps it",
    zh: "邀请码与其他用户相同，仅后者保留",
  },
  "group-long": {
    en: "the group {group} has more than 32 characters, or a comma",
    zh: "分组 {group} 超过 32 个字符或含有逗号",
  },
  "reward-added": {
    en: "an unspent reward of {quota} was added to the balance",
    zh: "未使用的邀请奖励 {quota} 已计入余额",
  },
  "subscription-added": {
    en: "{quota} of running subscriptions were added to the balance",
    zh: "有效订阅的剩余额度 {quota} 已计入余额",
  },
  "settings-left": {
    en: "settings of the user (notices, limits) are not taken over",
    zh: "用户的个人设置（通知等）不导入",
  },
  "root-added": {
    en: "the source has no root that may sign in: {after} was added, whose password the first start lets you set",
    zh: "来源中没有可登录的 root：已添加 {after}，首次启动时设置其密码",
  },
  // Keys.
  "key-deleted": { en: "deleted in the source", zh: "在来源中已删除" },
  "key-of-nobody": { en: "belongs to user {user}, who is not taken over", zh: "所属用户 {user} 未导入" },
  "key-empty": { en: "has no key", zh: "密钥为空" },
  "key-taken": { en: "key {other} is the same", zh: "与令牌 {other} 相同" },
  "key-with-dash": {
    en: "has a character that ends a key (“-” or a blank): it cannot be used as it is",
    zh: "密钥含有“-”或空白字符，无法使用",
  },
  "key-status": {
    en: "the status {before} is not known: the key is switched off",
    zh: "状态 {before} 未知：令牌已停用",
  },
  "key-without-models": {
    en: "was limited to no model at all: the key is switched off",
    zh: "限制为不可使用任何模型：令牌已停用",
  },
  "key-models-long": {
    en: "the list of models is longer than 20,000 characters: the key is switched off",
    zh: "模型列表超过 20000 个字符：令牌已停用",
  },
  "key-networks": {
    en: "the addresses from which it may be used cannot be read: the key is switched off",
    zh: "IP 限制无法识别：令牌已停用",
  },
  "key-group": {
    en: "was used in the group {group}, whose name has a comma or is too long: prices and channels are those of its user now, of {userGroup}",
    zh: "原使用分组 {group}，其名称含逗号或过长：现按用户分组 {userGroup} 计价和选择渠道",
  },
  // Codes.
  "code-deleted": { en: "deleted in the source", zh: "在来源中已删除" },
  "code-empty": { en: "has no code", zh: "兑换码为空" },
  "code-taken": { en: "code {other} is the same", zh: "与兑换码 {other} 相同" },
  "code-without-quota": { en: "is worth {before}", zh: "额度为 {before}" },
  "code-expired": { en: "was expired: it is switched off", zh: "已过期：现已停用" },
  "code-expires": {
    en: "expires at {before} in the source, and never here: it stays on",
    zh: "在来源中于 {before} 过期，此处不会过期：仍可使用",
  },
  "code-status": {
    en: "the status {before} is not known: the code is switched off",
    zh: "状态 {before} 未知：兑换码已停用",
  },
  "code-redeemer-unknown": {
    en: "was redeemed, the source does not say by whom: it stays used up, because nobody finds it here",
    zh: "已被兑换，但来源未记录兑换人：此处不存在该码，无法再次兑换",
  },
  // Log.
  "line-of-error": { en: "lines of errors", zh: "错误日志" },
  "line-of-sign-in": { en: "lines of sign-ins", zh: "登录日志" },
  "line-type-unknown": { en: "lines of type {type}, which is not known", zh: "未知类型 {type} 的日志" },
  "line-of-test": {
    en: "lines of tests are lines of the system now",
    zh: "测试日志现为系统日志",
  },
  "line-of-refund": {
    en: "lines of refunds are lines of the system now",
    zh: "退款日志现为系统日志",
  },
  "line-time": {
    en: "the time {before} is out of range, and became {after}",
    zh: "时间 {before} 超出范围，改为 {after}",
  },
  "line-amount": {
    en: "an amount was below zero or too large, and is 0 now",
    zh: "数值为负数或过大，现改为 0",
  },
  "line-of-nobody": { en: "lines of users who are not taken over", zh: "未导入用户的日志" },
  // Top-ups and subscriptions.
  "top-up-not-a-line": {
    en: "an order that was not paid",
    zh: "未支付的订单",
  },
  "top-up-as-line": {
    en: "a paid order is a line of the log now",
    zh: "已支付的订单现为充值日志",
  },
  "subscription-active": {
    en: "runs, and {quota} of it are unspent: say with --subscriptions what becomes of it",
    zh: "有效，尚有 {quota} 未使用：请用 --subscriptions 指定如何处理",
  },
  "subscription-granted": {
    en: "ran, and {quota} of it were added to the balance of user {user}",
    zh: "有效，剩余的 {quota} 已计入用户 {user} 的余额",
  },
  "subscription-dropped": {
    en: "ran, and {quota} of it that user {user} had not spent are lost, as was asked for",
    zh: "有效，按要求放弃用户 {user} 未使用的 {quota}",
  },
  "subscription-over": { en: "is over", zh: "已结束" },
} as const satisfies Readonly<Record<string, { en: string; zh: string }>>;

export type RemarkCode = keyof typeof REMARK_TEXTS;

/**
 * What became of rows: taken over otherwise than they were, left out, or taken over with something that a person should know.
 */
export type RemarkEffect = "changed" | "left-out" | "noted";

export type RemarkValues = Readonly<Record<string, string | number>>;

export interface Remark {
  table: SourceTable;
  effect: RemarkEffect;
  code: RemarkCode;
  /** Of the row, or the key of an option. */
  id: number | string;
  /** What the text names: a name, an amount before and after. */
  values: RemarkValues;
}
