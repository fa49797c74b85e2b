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
  "column-left": {
    en: "the column {column} has no place here, and its content is not taken over",
    zh: "{column} 列在此没有对应，其内容未导入",
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
  "group-of-subscription": {
    en: "was in the group {before} through a subscription: the user's own group is {after} again, and a plan brings {before} as long as it lasts",
    zh: "因订阅而处于分组 {before}：用户自己的分组恢复为 {after}，套餐有效期间由套餐提供 {before}",
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
  "plan-long": {
    en: "its title or description is longer than a plan's can be, or empty, and was changed",
    zh: "套餐标题或说明为空或过长，已修改",
  },
  "plan-currency": {
    en: "its price is in {currency}, not in USD: it is not on sale until an administrator sets its price",
    zh: "价格以 {currency} 计而非 USD：在管理员设置价格之前不出售",
  },
  "plan-free": {
    en: "it had no price, so nobody could buy it; here a plan without a price is free: it is not on sale",
    zh: "没有价格，原本无法购买；在此没有价格的套餐为免费：不出售",
  },
  "plan-balance-pay": {
    en: "it could not be paid from the balance; here each plan can: it is not on sale",
    zh: "原不可用余额购买；在此每个套餐都可以：不出售",
  },
  "plan-duration": {
    en: "it lasts {seconds} s, which are no whole days: it lasts {days} days now, and is not on sale",
    zh: "时长为 {seconds} 秒，不是整天：现为 {days} 天，不出售",
  },
  "plan-reset": {
    en: "its quota is renewed in periods longer than the plan: it has one period now",
    zh: "额度重置周期长于套餐时长：现只有一个周期",
  },
  "plan-group": {
    en: "the group {group} has a name that a plan's cannot have, and is left out",
    zh: "分组 {group} 的名称不能用于套餐，未导入",
  },
  "plan-interval": {
    en: "{before} in every {seconds} s become {after} a day",
    zh: "每 {seconds} 秒 {before} 改为每天 {after}",
  },
  "plan-unlimited": {
    en: "it has no limit, and each plan here has one: --unlimited-subscriptions <quota> says which",
    zh: "没有额度上限，而在此每个套餐都有上限：请用 --unlimited-subscriptions <额度> 指定",
  },
  "plan-limited": {
    en: "it had no limit, and has {after} in each period now, as was asked for",
    zh: "原没有上限，按要求改为每个周期 {after}",
  },
  "subscription-plan": {
    en: "runs until {until}, and is a plan of user {user} now: {left} left until {next}, {quota} in each period",
    zh: "有效期至 {until}，现为用户 {user} 的套餐：至 {next} 剩余 {left}，每个周期 {quota}",
  },
  "subscription-of-nobody": {
    en: "belongs to user {user}, who is not taken over",
    zh: "所属用户 {user} 未导入",
  },
  "subscription-dropped": {
    en: "runs until {until}, and what it still had for user {user} is lost, as was asked for",
    zh: "有效期至 {until}，按要求放弃用户 {user} 的剩余部分",
  },
  "second-factor": {
    en: "user {user} had a second factor for signing in, and signs in without one until it is set up again",
    zh: "用户 {user} 启用了两步验证：重新设置之前登录时不再需要第二步",
  },
  "second-factor-off": { en: "was not in use", zh: "未启用" },
  passkey: {
    en: "user {user} signed in with a passkey, which is bound to the old program: set one up again",
    zh: "用户 {user} 使用通行密钥登录，其与原程序绑定：需要重新设置",
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
